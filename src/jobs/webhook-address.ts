import { type LookupAddress, lookup } from 'node:dns'
import { BlockList, isIP } from 'node:net'
import { unmapAddress } from '../accounts/keys.ts'

const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
// Everything outside global unicast, and the parts of it that lead elsewhere: NAT64, Teredo, 6to4, documentation.
const SPECIAL_IPV6 = [
  '::/3',
  '4000::/2',
  '8000::/1',
  '64:ff9b::/96',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
]

// A list for each family: a mixed one looks for an IPv4 address in the IPv6 networks too, mapped, and finds it in ::/3.
const listOf = (cidrs: readonly string[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList()
  for (const cidr of cidrs) {
    const [network = '', bits] = cidr.split('/')
    list.addSubnet(network, Number(bits), family)
  }
  return list
}
const special = { ipv4: listOf(SPECIAL_IPV4, 'ipv4'), ipv6: listOf(SPECIAL_IPV6, 'ipv6') }

/** Whether an address is on the public internet. */
export const isPublicAddress = (address: string): boolean => {
  const plain = unmapAddress(address)
  const version = isIP(plain)
  const family = version === 4 ? 'ipv4' : 'ipv6'
  return version !== 0 && !special[family].check(plain, family)
}

/** Why a webhook may not go to this URL, judged by its text alone; undefined when it may. */
export const webhookUrlProblem = (text: string, allowPrivate: boolean): string | undefined => {
  const url = new URL(text)
  if (url.username || url.password) return 'must not hold a user name or password'
  if (allowPrivate)
    return url.protocol === 'https:' || url.protocol === 'http:' ? undefined : 'must be an http or https URL'
  if (url.protocol !== 'https:') return 'must be an https URL'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && !isPublicAddress(host)) return 'must not point to a private address'
  return /(?:^|\.)(?:localhost|local|internal|home\.arpa)\.?$/i.test(host)
    ? 'must not point to a private name'
    : undefined
}

type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void

/** A look-up for `http.request` that gives only public addresses; the connection goes to the very address checked. */
export const publicLookup = (hostname: string, options: { all?: boolean }, callback: LookupCallback): void => {
  lookup(hostname, { all: true }, (error, addresses) => {
    if (error) return callback(error, [])
    const first = addresses[0]
    // One private address among public ones is a rebinding attempt, not a choice.
    if (!first || !addresses.every(({ address }) => isPublicAddress(address))) {
      return callback(new Error(`${hostname} does not resolve to public addresses only`), [])
    }
    if (options.all) callback(null, addresses)
    else callback(null, first.address, first.family)
  })
}
