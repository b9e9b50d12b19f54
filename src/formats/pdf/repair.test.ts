import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type RawObject, writeRawPdf } from './golden/raw-pdf.ts'
import { withSource } from './golden/run-capability.ts'
import { probe } from './probe.ts'
import { openPdf } from './repair.ts'

const document = (count: string, kids = '[3 0 R 4 0 R]', more: RawObject[] = []): Buffer =>
  writeRawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids ${kids} /Count ${count} /MediaBox [0 0 9 9] >>`,
    '<< /Type /Page /Parent 2 0 R >>',
    '<< /Type /Page /Parent 2 0 R >>',
    ...more,
  ])
const measure = (bytes: Uint8Array, password = '', extension = 'pdf') =>
  withSource(bytes, (source, context) => probe(source, context, { password }), extension)

/** The document, encrypted by a program that is not ours. */
const encrypt = (password: string, bits: '40' | '256', encoding: 'utf8' | 'latin1' = 'utf8'): Promise<Buffer> =>
  withSource(document('2'), async ({ path }, { scratch }) => {
    const target = join(scratch, 'locked.pdf')
    const list = join(scratch, 'arguments')
    const weak = bits === '40' ? ['--allow-weak-crypto'] : []
    writeFileSync(
      list,
      [...weak, '--password-mode=bytes', '--encrypt', password, 'owner', bits, '--'].join('\n'),
      encoding,
    )
    execFileSync('qpdf', [`@${list}`, path, target])
    return readFileSync(target)
  })

describe('probe', () => {
  it('counts pages, also of a PDF by another name', async () => {
    expect(await measure(document('2'))).toEqual({ pages: 2 })
    expect(await measure(document('2'), '', 'ai')).toEqual({ pages: 2 })
  })

  it('does not believe a count that cannot be', async () => {
    expect(await measure(document('1000000'))).toEqual({ pages: 2 })
  })

  it('opens an encrypted file with its password alone', async () => {
    const locked = await encrypt('secret', '256')
    expect(await measure(locked, 'secret')).toEqual({ pages: 2 })
    expect(await measure(locked, 'owner')).toEqual({ pages: 2 })
    for (const password of ['', 'wrong']) {
      await expect(measure(locked, password)).rejects.toMatchObject({ code: 'extract.source_encrypted' })
    }
  })

  it('knows how old files spell a password', async () => {
    expect(await measure(await encrypt('Größe', '40', 'latin1'), 'Größe')).toEqual({ pages: 2 })
  })

  it.each([
    ['something else', Buffer.from('GIF89a, by another name')],
    ['a header with nothing behind it', Buffer.from('%PDF-1.7\n')],
    ['a file without pages', document('0', '[]')],
  ])('fails on %s', async (_title, bytes) => {
    await expect(measure(bytes)).rejects.toMatchObject({ code: 'extract.source_unreadable' })
  })
})

describe('openPdf', () => {
  it('says once for each capability that a file was repaired', () =>
    withSource(document('1000000'), async (source, context, warnings) => {
      const first = await openPdf(source, '', context)
      const again = await openPdf(source, '', context)
      await openPdf(source, '', { ...context })
      expect([first.repaired, again === first, warnings]).toEqual([true, true, ['pdf.repaired', 'pdf.repaired']])
    }))

  it('repairs by rewriting where the first engine gives up', () => {
    const stream = { dict: '', data: '(((((((' }
    const whole = document('2', '[3 0 R 4 0 R]', [stream]).toString('latin1')
    // Without its keyword the stream is read as a string that never ends, once the broken table has to be made anew.
    const spoiled = whole.replace('>>\nstream', '>>\nstr.am').replace('00000 n', '0000 n')
    return withSource(Buffer.from(spoiled, 'latin1'), async (source, context, warnings) => {
      const { repaired, pageCount, file } = await openPdf(source, '', context)
      expect([repaired, pageCount, warnings]).toEqual([true, 2, ['pdf.repaired']])
      expect(file.path).not.toBe(source.path)
    })
  })
})
