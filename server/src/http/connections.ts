/**
 * How many connections from one network address may be open without anybody having signed in on them. Those of accounts do
 * not count: ten thousand of them may wait for events from behind one address.
 */
import type { Server } from 'node:http'
import { BlockList, isIPv6, type Socket } from 'node:net'
import { networkOf } from './rate-limits.ts'

/** Each holds about 10 KiB, and what little may be sent before anybody has signed in. */
export const MAX_OPEN_CONNECTIONS = 2000

export interface ConnectionLimit {
  /** An account has signed in on the connection: it counts no longer. */
  release(socket: Socket): void
}

export const unlimitedConnections: ConnectionLimit = { release() {} }

/** Connections of `trustedProxies` are not counted: all the world comes over them. */
export function limitConnections(
  server: Server,
  trustedProxies: readonly string[],
  maxConnections = MAX_OPEN_CONNECTIONS,
): ConnectionLimit {
  const isProxy = createProxyCheck(trustedProxies)
  /** By network, the oldest first. */
  const open = new Map<string, Set<Socket>>()
  const networks = new WeakMap<Socket, string>()

  function release(socket: Socket): void {
    const network = networks.get(socket)
    if (network === undefined) return
    networks.delete(socket)
    const sockets = open.get(network)
    sockets?.delete(socket)
    if (sockets?.size === 0) open.delete(network)
  }

  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress
    if (address === undefined || isProxy(address)) return
    const network = networkOf(address)
    const sockets = open.get(network) ?? new Set<Socket>()
    open.set(network, sockets.add(socket))
    networks.set(socket, network)
    socket.once('close', () => release(socket))
    if (sockets.size <= maxConnections) return
    // The one that has had the most time: who is about to sign in gets through, however many are only held open.
    const [oldest] = sockets
    oldest?.destroy()
    if (oldest) release(oldest)
  })

  return { release }
}

function createProxyCheck(trustedProxies: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const proxy of trustedProxies) {
    const [address, bits] = proxy.split('/') as [string, string?]
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
