import { describe, expect, test } from 'vitest'
import { choosePieces } from '../mail.ts'
import { bufferBytes } from './bytes.ts'
import { readMail } from './read-mail.ts'
import { splitMailbox } from './split-mbox.ts'
import { decodeTransfer } from './transfer.ts'

const read = async (text: string) => await readMail(bufferBytes(Buffer.from(text, 'latin1')))
const join = (pieces: Iterable<Buffer>): string => Buffer.concat([...pieces]).toString('latin1')

describe('readMail', () => {
  test('takes the richest or the plainest of alternatives', async () => {
    const mail = await read(
      'Content-Type: multipart/alternative; boundary=x\n\n--x\n\nplain\n--x\nContent-Type: text/html\n\n<p>rich\n--x--\n',
    )
    expect(choosePieces(mail.body, 'auto')).toEqual([{ kind: 'html', html: '<p>rich' }])
    expect(choosePieces(mail.body, 'text')).toEqual([{ kind: 'text', text: 'plain' }])
  })
  test('prefers the text where the HTML shows nothing', async () => {
    const mail = await read(
      'Content-Type: multipart/alternative; boundary=x\n\n--x\n\nplain\n--x\nContent-Type: text/html\n\n<p>&nbsp;</p>\n--x--\n',
    )
    expect(choosePieces(mail.body, 'auto')).toEqual([{ kind: 'text', text: 'plain' }])
  })
  test('finds a boundary that the header does not name', async () => {
    const mail = await read(
      'Content-Type: multipart/mixed\n\n--secret-boundary\nContent-Type: text/plain\n\nhi\n--secret-boundary--\n',
    )
    expect(mail.body).toEqual([{ kind: 'text', text: 'hi' }])
  })
  test('tells parts apart whose boundary begins with that of another', async () => {
    const mail = await read(
      'Content-Type: multipart/mixed; boundary=ab\n\n--ab\nContent-Type: multipart/mixed; boundary=abc\n\n--abc\n\none\n--abc--\n--ab\n\ntwo\n--ab--\n',
    )
    expect(mail.body.map((piece) => 'text' in piece && piece.text)).toEqual(['one', 'two'])
  })
  test('begins the body where a line can be no header', async () => {
    const mail = await read('Subject: s\nno header here\nmore\n')
    expect(mail.subject).toBe('s')
    expect(mail.body).toEqual([{ kind: 'text', text: 'no header here\nmore\n' }])
  })
  test('numbers attachments by their part, and reads them when asked', async () => {
    const mail = await read(
      'Content-Type: multipart/mixed; boundary=x\n\n--x\n\nhi\n--x\nContent-Type: a/b; name=n\nContent-Transfer-Encoding: base64\n\naGVs\nbG8=\n--x--\n',
    )
    expect(mail.attachments.map(({ name, part }) => [name, part])).toEqual([['n', '2']])
    expect(join(mail.attachments[0]?.read() ?? [])).toBe('hello')
  })
})

describe('decodeTransfer', () => {
  const decode = (text: string, encoding: string, size = 3): string => {
    const bytes = Buffer.from(text, 'latin1')
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      bytes.subarray(i * size, (i + 1) * size),
    )
    return join(decodeTransfer(pieces, encoding))
  }
  test('base64 in any pieces, with junk, and padded line by line', () => {
    expect(decode('aGVs bG8g\r\nd29y*bGQ=', 'Base64')).toBe('hello world')
    expect(decode('YQ==\nYg==\n', 'base64')).toBe('ab')
  })
  test('base64 with a footer below', () => {
    expect(decode('aGVsbG8=\n-- \nList of people', 'base64', 1_000)).toBe('hello')
  })
  test('quoted-printable with soft breaks, blanks at the end of lines and stray signs', () => {
    expect(decode('a=\r\nb =20\r\nc  \r\n=C3=A9 = x=ZZ', 'quoted-printable')).toBe('ab  \r\nc\r\n\u00c3\u00a9 = x=ZZ')
  })
})

describe('splitMailbox', () => {
  const split = (text: string): string[] => {
    const bytes = bufferBytes(Buffer.from(text))
    return [...splitMailbox(bytes)].map(({ start, end }) => bytes.read(start, end).toString())
  }
  test('parts messages at separators only', () => {
    const first = 'A: 1\n\nFrom here on text\nTo: nobody\n'
    const second = 'B: 2\n\nbody'
    const line = 'From a@b Mon Mar  2 10:00:00 2026\n'
    expect(split(`${line}${first}\n${line}${second}`)).toEqual([first, second])
  })
  test('believes a length only where the next message begins there', () => {
    const line = 'From a@b Mon Mar  2 10:00:00 2026\n'
    const body = `x\n\n${line}C: 3\n`
    const honest = `${line}Content-Length: ${body.length}\n\n${body}\n${line}D: 4\n\nend\n`
    expect(split(honest)).toHaveLength(2)
    expect(split(honest.replace(/Content-Length: \d+/, 'Content-Length: 5'))).toHaveLength(3)
  })
})
