import { describe, expect, it } from 'vitest'
import { dropDocumentType } from './drop-document-type.ts'

const drop = (text: string): string => dropDocumentType(Buffer.from(text)).toString()

describe('dropDocumentType', () => {
  it('takes it off with all that it declares', () => {
    expect(drop('<?xml version="1.0"?><!DOCTYPE a PUBLIC "x>" "y"><a/>')).toBe('<?xml version="1.0"?><a/>')
    expect(drop('<!DOCTYPE a [<!ENTITY b "]>"><!-- ]> \' --><!ENTITY c "&b;">]><a>&c;</a>')).toBe('<a>&c;</a>')
    expect(drop('<a>none</a>')).toBe('<a>none</a>')
  })

  it('leaves one alone that does not end', () => {
    const open = `<!DOCTYPE a [${'<!--x-->'.repeat(5_000)}`
    expect(drop(open)).toBe(open)
    expect(drop('<!DOCTYPE a "')).toBe('<!DOCTYPE a "')
  })
})
