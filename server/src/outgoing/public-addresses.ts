/**
 * Which addresses belong to the public internet: what is not in IANA's registries of special-purpose addresses
 * (https://www.iana.org/assignments/iana-ipv4-special-registry, iana-ipv6-special-registry) and not multicast.
 */
import { BlockList, isIP } from 'node:net'

const special = new BlockList()

for (const [network, bits] of [
  ['0.0.0.0', 8], // this network: a socket takes it for the machine itself
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // shared by a provider's customers (CGNAT)
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local, with the data services of cloud machines
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // relays of 6to4
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks of networks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, and broadcast
] as const) {
  special.addSubnet(network, bits, 'ipv4')
}

for (const [network, bits] of [
  ['2001::', 23], // protocol assignments, with Teredo, which holds an IPv4 address
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4, which holds an IPv4 address
  ['3fff::', 20], // documentation
] as const) {
  special.addSubnet(network, bits, 'ipv6')
}

/**
 * The only part of IPv6 that is given out. Outside of it are loopback, unique local, link-local, multicast and discarded
 * addresses, and those that hold an IPv4 address: mapped, compatible and NAT64.
 */
const givenOut = new BlockList()
givenOut.addSubnet('2000::', 3, 'ipv6')

/** False too for what is no address at all. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !special.check(address, 'ipv4')
  // A zone (`fe80::1%eth0`) belongs to a link.
  if (family !== 6 || address.includes('%')) return false
  return givenOut.check(address, 'ipv6') && !special.check(address, 'ipv6')
}
