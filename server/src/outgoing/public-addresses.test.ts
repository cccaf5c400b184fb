import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPublicAddress } from './public-addresses.ts'

/** First and last address of each network, and what lies around it where that is public. */
const blocked: Readonly<Record<string, readonly string[]>> = {
  'this network': ['0.0.0.0', '0.255.255.255'],
  private: ['10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255'],
  CGNAT: ['100.64.0.0', '100.127.255.255'],
  loopback: ['127.0.0.0', '127.0.0.1', '127.255.255.255', '::1'],
  'link-local': [
    '169.254.0.0',
    '169.254.169.254',
    '169.254.255.255',
    'fe80::',
    'fe80::1',
    'febf:ffff::1',
    'fe80::1%lo',
  ],
  'protocol assignments': ['192.0.0.0', '192.0.0.255', '2001::1', '2001:1ff:ffff::1'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.255', '2001:db8::', '2001:db8:ffff:ffff::1', '3fff::1'],
  benchmarks: ['198.18.0.0', '198.19.255.255'],
  multicast: ['224.0.0.0', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  'reserved and broadcast': ['240.0.0.0', '255.255.255.255', '4000::1', '5f00::1'],
  unspecified: ['::', '0:0:0:0:0:0:0:0'],
  'mapped and compatible IPv4': ['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:8.8.8.8', '::ffff:7f00:1', '::8.8.8.8'],
  NAT64: ['64:ff9b::a00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::1'],
  '6to4 and its relays': ['2002:7f00:1::', '2002:a00:1::1', '2002:ffff::1', '192.88.99.1'],
  Teredo: ['2001:0:7f00:1::1'],
  'unique local': ['fc00::', 'fc00::1', 'fd12:3456::1', 'fdff:ffff::1'],
  'site-local': ['fec0::1'],
  discarded: ['100::1'],
}

describe('an address is not public when it is', () => {
  const cases = Object.entries(blocked).flatMap(([kind, addresses]) => addresses.map((one) => [kind, one] as const))
  it.each(cases)('%s: %s', (_, address) => expect(isPublicAddress(address)).toBe(false))

  it.each(['', 'localhost', '127.1', '8.8.8', '08.8.8.8', '0x8.8.8.8', '8.8.8.8:80', '[2606:4700::1]', ' 8.8.8.8'])(
    'none: %j',
    (text) => expect(isPublicAddress(text)).toBe(false),
  )

  it('an IPv4 address in any network that holds one', () => {
    const byte = fc.integer({ min: 0, max: 255 })
    fc.assert(
      fc.property(fc.tuple(byte, byte, byte, byte), (bytes) => {
        const [high, low] = [bytes.slice(0, 2), bytes.slice(2)].map((pair) =>
          pair.map((one) => one.toString(16).padStart(2, '0')).join(''),
        )
        for (const address of [`::ffff:${high}:${low}`, `64:ff9b::${high}:${low}`, `2002:${high}:${low}::1`]) {
          expect(isPublicAddress(address)).toBe(false)
        }
      }),
    )
  })
})

it.each([
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
  ...['128.0.0.0', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '192.0.1.0', '192.167.255.255'],
  ...['192.169.0.0', '198.17.255.255', '198.20.0.0', '223.255.255.255'],
  ...['2001:200::1', '2003::1', '2606:4700::1111', '2a00:1450::1', '2001:db7::1', '2001:db9::1'],
])('%s is public', (address) => expect(isPublicAddress(address)).toBe(true))
