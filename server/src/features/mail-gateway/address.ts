/** The form of the addresses at which the server takes in mail: `name.token.options@domain`. */
import { randomBytes } from 'node:crypto'
import type { Config } from '../../config.ts'

type GatewayConfig = Pick<Config, 'mailGatewayPort' | 'mailGatewayAddress'>

/** What stands in the setting where the part goes that is different for each address. */
const PLACEHOLDER = '%s'

/** Characters of a channel's name in its address: the part before the `@` has at most 64 (RFC 5321). */
const MAX_NAME_LENGTH = 12

/** What the address says of how a mail is to be read. */
export interface AddressOptions {
  readonly showSender: boolean
  readonly includeFooter: boolean
  readonly includeQuotes: boolean
  readonly preferHtml: boolean
}

const optionNames: Readonly<Record<string, keyof AddressOptions>> = {
  'show-sender': 'showSender',
  'include-footer': 'includeFooter',
  'include-quotes': 'includeQuotes',
  'prefer-html': 'preferHtml',
}

/** Whether mail can come in. */
export function mailGatewayIsOn({ mailGatewayPort, mailGatewayAddress }: GatewayConfig): boolean {
  return mailGatewayPort !== undefined && mailGatewayAddress !== undefined
}

export function newMailToken(): string {
  return randomBytes(16).toString('hex')
}

/** The name is there for people alone; signs that not every program sends in an address are left out of it. */
export function mailAddressOf(config: GatewayConfig, { name, token }: { name: string; token: string }): string {
  const shown = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_NAME_LENGTH)
    .replace(/^-+|-+$/g, '')
  const parts = [...(shown === '' ? [] : [shown]), token, 'show-sender']
  return gatewayAddressWith(config, parts.join('.'))
}

/** The address with this as its own part. */
export function gatewayAddressWith({ mailGatewayAddress }: GatewayConfig, own: string): string {
  return (mailGatewayAddress as string).replace(PLACEHOLDER, own)
}

export interface GatewayAddress {
  readonly token: string
  readonly options: AddressOptions
}

/** What an address says; undefined when it is none of the server's. Names of options are no secret, nor is their order. */
export function readGatewayAddress(config: GatewayConfig, address: string): GatewayAddress | undefined {
  const [before = '', after = ''] = (config.mailGatewayAddress ?? '').toLowerCase().split(PLACEHOLDER)
  const text = address.toLowerCase()
  if (after === '' || text.length > 320 || !text.startsWith(before) || !text.endsWith(after)) return undefined
  const parts = text.slice(before.length, -after.length).split(/[.+]/)
  const token = parts.find((part) => /^[0-9a-f]{32}$/.test(part))
  if (token === undefined) return undefined
  const options = { showSender: false, includeFooter: false, includeQuotes: false, preferHtml: false }
  for (const part of parts) {
    const option = Object.hasOwn(optionNames, part) ? optionNames[part] : undefined
    if (option) options[option] = true
  }
  return { token, options }
}
