import { expect, test } from 'vitest'
import { isInside, parseCidr } from './keys.ts'

test.each([
  ['192.0.2.7', '192.0.2.0/24', true],
  ['::ffff:192.0.2.7', '192.0.2.0/24', true],
  ['::ffff:c000:207', '192.0.2.0/24', true],
  ['192.0.3.7', '192.0.2.0/24', false],
  ['2001:db8::7', '2001:db8::/32', true],
  ['2001:db9::7', '2001:db8::/32', false],
  ['fe80::1%eth0', 'fe80::/10', true],
  // An IPv4 address is in no IPv6 network, however wide, and the other way round.
  ['192.0.2.7', '::/0', false],
  ['2001:db8::7', '0.0.0.0/0', false],
  ['not an address', '0.0.0.0/0', false],
])('%s in %s: %s', (address, cidr, isIn) => {
  expect(isInside(address, [cidr])).toBe(isIn)
})

test('one network of several is enough, of either family', () => {
  const cidrs = ['10.0.0.0/8', '2001:db8::/32']
  expect(['10.1.2.3', '2001:db8::1', '11.1.2.3', '2001:db9::1'].map((one) => isInside(one, cidrs))).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test.each([
  ['192.0.2.1', '192.0.2.1/32'],
  ['2001:DB8::1', '2001:db8::1/128'],
  ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
  ['::ffff:10.0.0.1', '10.0.0.1/32'],
  ['10.0.0.0/33', undefined],
  ['10.0.0.0/8/8', undefined],
  ['::ffff:10.0.0.0/95', undefined],
  ['10.0.0.0/', undefined],
  ['example.com', undefined],
  ['', undefined],
])('the CIDR %s is %s', (text, canonical) => {
  expect(parseCidr(text)).toBe(canonical)
})
