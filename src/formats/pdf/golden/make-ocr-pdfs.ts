/** Writes the sources of the cases ocr-* anew. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeRawPdf } from './raw-pdf.ts'
import { writeScanPdf } from './scan-pdf.ts'

const write = (name: string, file: string, bytes: Uint8Array): void => {
  mkdirSync(join(import.meta.dirname, name), { recursive: true })
  writeFileSync(join(import.meta.dirname, name, file), bytes)
}

const lines = ['The harbour was closed for the winter,', 'and nobody expected another ship', 'before the ice had left the river.']
write('ocr-scan', 'scan.pdf', await writeScanPdf([{ lines }, { lines: lines.toReversed(), more: '/Rotate 90' }]))
write('ocr-blank', 'blank.pdf', await writeScanPdf([{ lines: [] }]))
write(
  'ocr-not-needed',
  'text.pdf',
  writeRawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 200 100] >>',
    '<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
    { dict: '', data: 'BT /F 12 Tf 20 60 Td (Text of its own) Tj ET' },
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]),
)
