import { describe, expect, test } from 'vitest'
import { builtinFormat } from './builtin-formats.ts'
import { compileFormat } from './compile-format.ts'
import { readMoment, writeIsoMoment } from './format-date.ts'

const show = (code: string, value: number, is1904 = false): string => compileFormat(code).formatNumber(value, is1904)

describe('numbers', () => {
  test.each([
    ['General', 0, '0'],
    ['General', 1234.5, '1234.5'],
    ['General', 1 / 3, '0.333333333'],
    ['General', -12.5, '-12.5'],
    ['General', 123456789012, '123456789012'],
    ['General', 1e20, '1E+20'],
    ['General', 0.00001234, '1.234E-05'],
    ['General', 0.0001234, '0.0001234'],
    ['0', 0.5, '1'],
    ['0', -0.5, '-1'],
    ['0.00', 1.005, '1.01'],
    ['0.00', 2.675, '2.68'],
    ['0.00', 1e15, '1000000000000000.00'],
    ['#,##0', 1234567, '1,234,567'],
    ['#,##0', 999.5, '1,000'],
    ['#,##0.00', -1234.567, '-1,234.57'],
    ['0.###', 1.5, '1.5'],
    ['0.###', 2, '2.'],
    ['#.##', 0.5, '.5'],
    ['.00', 12.345, '12.35'],
    ['00000', 42, '00042'],
    ['0000,000', 1, '0,000,001'],
    ['0%', 0.07, '7%'],
    ['0.0%', 0.12345, '12.3%'],
    ['0.0,', 12345, '12.3'],
    ['0.0,,"M"', 2_500_000, '2.5M'],
    ['000-00-0000', 123456789, '123-45-6789'],
    ['(###) ###-####', 8005551234, '(800) 555-1234'],
    ['"Total: "0" pcs"', 5, 'Total: 5 pcs'],
    ['0\\°', 21, '21°'],
    ['General" units"', 3, '3 units'],
    ['0.00E+00', 123456, '1.23E+05'],
    ['0.00E+00', 0.00012, '1.20E-04'],
    ['0.00E+00', 9.999, '1.00E+01'],
    ['##0.0E+0', 12345, '12.3E+3'],
    ['# ?/?', 2.25, '2 1/4'],
    ['# ?/?', 0.5, '1/2'],
    ['# ?/?', 3, '3'],
    ['# ??/??', 5.0625, '5 1/16'],
    ['# ??/??', 0.1416, '14/99'],
    ['?/?', 1.5, '3/2'],
    ['# ?/8', 0.5, '4/8'],
    ['# ?/?', 0.999, '1'],
    ['@', 12.5, '12.5'],
  ])('%s of %d is %s', (code, value, shown) => {
    expect(show(code, value)).toBe(shown)
  })
})

describe('sections', () => {
  test.each([
    ['0;(0)', -5, '(5)'],
    ['0;(0)', 0, '0'],
    ['0;-0;"zero"', 0, 'zero'],
    ['0;;', -5, ''],
    [';;;', 5, ''],
    ['"$"#,##0.00_);[Red]\\("$"#,##0.00\\)', -42.5, '($42.50)'],
    ['_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)', 1234.5, '$1,234.50'],
    ['_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)', 0, '$-'],
    ['[>=1000]#,##0,"K";0', 2500, '3K'],
    ['[>=1000]#,##0,"K";0', 25, '25'],
    ['[>=1000]#,##0,"K";0', -25, '-25'],
    ['[<0]"minus "0;0', -3, 'minus 3'],
    ['[Blue][=1]"one";[=2]"two";"many"', 2, 'two'],
    ['[Blue][=1]"one";[=2]"two";"many"', 7, 'many'],
    ['#,##0.00 [$€-407]', 9.5, '9.50 €'],
    ['[$USD] 0.00', 9.5, 'USD 9.50'],
  ])('%s of %d is %s', (code, value, shown) => {
    expect(show(code, value)).toBe(shown)
  })
  test('texts', () => {
    expect(compileFormat('"No. "@').formatText('12b')).toBe('No. 12b')
    expect(compileFormat('0;-0;0;"<"@">"').formatText('x')).toBe('<x>')
    expect(compileFormat(';;;').formatText('x')).toBe('')
    expect(compileFormat('0.00').formatText('x')).toBe('x')
  })
})

describe('dates and times', () => {
  const NOON = 45351.5
  test.each([
    ['yyyy-mm-dd', NOON, '2024-02-29'],
    ['d/m/yy', NOON, '29/2/24'],
    ['dddd, mmmm d, yyyy', NOON, 'Thursday, February 29, 2024'],
    ['ddd mmm', NOON, 'Thu Feb'],
    ['mmmmm', NOON, 'F'],
    ['h:mm AM/PM', NOON, '12:00 PM'],
    ['h:mm AM/PM', 0, '12:00 AM'],
    ['h:mm A/P', 0.75, '6:00 P'],
    ['hh:mm:ss', 0.75, '18:00:00'],
    ['h:mm', 0.524305555, '12:35'],
    ['mm:ss.0', 0.0001, '00:08.6'],
    ['ss.000', 0.00001, '00.864'],
    ['[h]:mm', 1.5, '36:00'],
    ['[mm]:ss', 0.5, '720:00'],
    ['[s]', 1, '86400'],
    ['yyyy"年"m"月"d"日"', NOON, '2024年2月29日'],
    ['[$-407]mmmm', NOON, 'Februar'],
    ['[$-40C]dddd', NOON, 'jeudi'],
    ['[$-F800]dddd\\, mmmm dd\\, yyyy', NOON, 'Thursday, February 29, 2024'],
    ['bbbb', NOON, '2567'],
    ['yyyy-mm-dd', 60, '1900-02-29'],
    ['yyyy-mm-dd', 59, '1900-02-28'],
    ['yyyy-mm-dd', 61, '1900-03-01'],
    ['d', 0, '0'],
    ['yyyy-mm-dd hh:mm:ss', 45351.999999, '2024-03-01 00:00:00'],
    ['yyyy-mm-dd', -1, '-1'],
    ['yyyy-mm-dd', 3e6, '3000000'],
  ])('%s of %d is %s', (code, value, shown) => {
    expect(show(code, value)).toBe(shown)
  })
  test('days from 1904', () => {
    expect(show('yyyy-mm-dd', 0, true)).toBe('1904-01-01')
    expect(show('yyyy-mm-dd', 0, false)).toBe('1900-01-00')
  })
  test('minutes are told from months', () => {
    expect(show('mm/dd hh:mm', NOON)).toBe('02/29 12:00')
    expect(show('m:ss', 0.0007)).toBe('1:00')
  })
  test('for programs', () => {
    const iso = (serial: number) => {
      const moment = readMoment(serial, false)
      return moment && writeIsoMoment(moment)
    }
    expect([iso(45351), iso(45351.25), iso(0.25), iso(-1)]).toEqual([
      '2024-02-29',
      '2024-02-29T06:00:00',
      '06:00:00',
      undefined,
    ])
  })
  test('which formats are of dates', () => {
    const isDate = (code: string) => compileFormat(code).isDate
    expect(['d', '[h]:mm', 'yyyy', 'AM/PM'].map(isDate)).toEqual([true, true, true, true])
    expect(['0.00', '[Red]0', '"day"0', '\\d0', '0.00E+00', '[$-409]0'].map(isDate)).toEqual(Array(6).fill(false))
  })
})

test('formats that files know by number', () => {
  expect([0, 14, 22, 44, 31, 33, 200].map(builtinFormat)).toEqual([
    'General',
    'm/d/yyyy',
    'm/d/yyyy h:mm',
    '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)',
    'm/d/yyyy',
    'h:mm:ss',
    'General',
  ])
})

test.each([
  '"open',
  '[',
  '\\',
  '_',
  '*',
  ';;;;;;',
  '0'.repeat(5_000),
  '[<]0',
  '/',
  '0/',
  '?/0',
  'E+',
  ',,,',
  '...',
  '%%%',
])('no code is too odd: %s', (code) => {
  for (const value of [0, 1, -1.5, 1e300, 1e-300]) expect(typeof show(code, value)).toBe('string')
})
