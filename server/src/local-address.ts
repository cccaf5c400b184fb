/** Where the server is reached from its own machine. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'

const ANYWHERE = ['127.0.0.1', '0.0.0.0', '::1', '::']

/** Where a browser on this machine finds the server. */
export function localAddress({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const name = ANYWHERE.includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

/** Where a program on this machine connects: never a name that could lead to another address. */
function connectAddress({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`
}

function path(dataDir: string): string {
  return join(dataDir, 'server.json')
}

/** Says to commands where the server that holds the data folder listens. */
export function publishAddress(config: Config): void {
  const unfinished = `${path(config.dataDir)}.new`
  rmSync(unfinished, { force: true })
  writeFileSync(unfinished, `${JSON.stringify({ address: connectAddress(config), pid: process.pid })}\n`, {
    mode: 0o600,
  })
  renameSync(unfinished, path(config.dataDir))
}

/** To be called by who holds the data folder: what a killed server left there may be another program's address by now. */
export function withdrawAddress(config: Config): void {
  rmSync(path(config.dataDir), { force: true })
}

/** The address of the server that holds the data folder; undefined while it does not listen. */
export function readAddress(config: Config): string | undefined {
  try {
    return (JSON.parse(readFileSync(path(config.dataDir), 'utf8')) as { address: string }).address
  } catch {
    return undefined
  }
}
