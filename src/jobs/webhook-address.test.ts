import type { LookupAddress } from 'node:dns'
import { beforeEach, expect, test, vi } from 'vitest'

const answers = vi.hoisted(() => ({ addresses: [] as LookupAddress[], error: null as Error | null }))
vi.mock('node:dns', () => ({
  lookup: (_name: string, _options: unknown, callback: (error: Error | null, found: LookupAddress[]) => void) =>
    callback(answers.error, answers.addresses),
}))
const { isPublicAddress, publicLookup } = await import('./webhook-address.ts')

const resolve = (all: boolean): Promise<unknown> =>
  new Promise((done, fail) =>
    publicLookup('hooks.example.com', { all }, (error, address) => (error ? fail(error) : done(address))),
  )
const v4 = (address: string): LookupAddress => ({ address, family: 4 })
const v6 = (address: string): LookupAddress => ({ address, family: 6 })

beforeEach(() => {
  answers.error = null
})

test.each([
  ['loopback', [v4('127.0.0.1')]],
  ['a private network', [v4('10.0.0.7')]],
  ['the metadata service', [v4('169.254.169.254')]],
  ['IPv6 loopback', [v6('::1')]],
  ['IPv4 mapped into IPv6', [v6('::ffff:10.0.0.1')]],
  ['NAT64 of a private address', [v6('64:ff9b::a00:1')]],
  ['a unique local address', [v6('fd12::1')]],
  ['one private address among public ones', [v4('93.184.215.14'), v4('192.168.0.1')]],
  ['nothing', []],
])('a name that resolves to %s is refused when the connection is made', async (_what, addresses) => {
  answers.addresses = addresses
  await expect(resolve(true)).rejects.toThrow('does not resolve to public addresses only')
  await expect(resolve(false)).rejects.toThrow('does not resolve to public addresses only')
})

test('a name that resolves to public addresses gives the very addresses that were checked', async () => {
  answers.addresses = [v4('93.184.215.14'), v6('2606:2800:21f::1')]
  expect(await resolve(true)).toEqual(answers.addresses)
  expect(await resolve(false)).toBe('93.184.215.14')
})

test('a name that does not resolve fails as it does without the check', async () => {
  answers.error = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
  await expect(resolve(true)).rejects.toThrow('ENOTFOUND')
})

test.each(['8.8.8.8', '2606:4700:4700::1111', '1.1.1.1'])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})
test.each([
  '',
  'example.com',
  '224.0.0.1',
  '255.255.255.255',
  '192.0.2.1',
  'fe80::1%eth0',
  '2001:db8::1',
  '::ffff:0:1',
  '2001::1',
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})
