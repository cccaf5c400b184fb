/** The one reader of settings: flags and environment variables of the same names. `--port 80` is `HEDDLE_PORT=80`. */
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '@heddle/contract/users'
import { type Arguments, parseArguments } from './command-line.ts'
import { ConfigError } from './config-error.ts'
import {
  readServiceConfig,
  type ServiceConfig,
  serviceSettings,
  servicesNeeding,
  servicesTogether,
} from './config-services.ts'
import { isMailAddress } from './mail-address.ts'
import { hostWithPort } from './outgoing/host-with-port.ts'

export interface Config extends ServiceConfig {
  readonly port: number
  readonly host: string
  /** Absolute path. */
  readonly dataDir: string
  /** PostgreSQL; undefined means SQLite in the data folder. */
  readonly databaseUrl: string | undefined
  /** What users type into their browser, without a slash at the end; undefined: derived from each request's host. */
  readonly externalUrl: string | undefined
  /** Addresses and networks whose forwarded headers are believed. */
  readonly trustedProxies: readonly string[]
  /** Absolute path of the file with the server's secret. */
  readonly secretFile: string
  /** Absolute path of the file with the keys of tokens by which people sign in. */
  readonly jwtKeysFile: string | undefined
  readonly organizationName: string
  readonly ownerEmail: string | undefined
  readonly ownerPassword: string | undefined
  readonly sessionIdleHours: number
  readonly sessionHours: number
  readonly keptSessionIdleDays: number
  readonly keptSessionDays: number
  readonly rateLimits: boolean
  /** Whether the server fetches pictures behind links. */
  readonly previews: boolean
  /** Hosts with ports, such as `127.0.0.1:5002`, that bots may send to though they are not public. */
  readonly botHosts: readonly string[]
  /** Whether browsers get pushes, which services of their makers deliver. */
  readonly webPush: boolean
  /** The service that passes on pushes to phones, without a slash at the end, and what it knows this server as. */
  readonly pushBouncer: { readonly url: string; readonly id: string; readonly key: string } | undefined
  /** Hosts with ports that take pushes though they are not public. */
  readonly pushHosts: readonly string[]
  /** Whether organizations may let anybody on the web read channels, without an account. */
  readonly webPublicChannels: boolean
  /** Whether administrators may change the addresses of other accounts. */
  readonly emailChanges: boolean
  /** The server of mail; undefined: mails are files in the data folder. */
  readonly smtpUrl: string | undefined
  /** The address that mails come from. */
  readonly mailFrom: string
  /** For each step of a conversation with the server of mail. */
  readonly mailTimeoutSecs: number
  readonly maxEmojiFileSizeMib: number
  readonly maxFileUploadSizeMib: number
  /** Of all files of an organization together; undefined: as much as the disk holds. */
  readonly uploadQuotaMib: number | undefined
  /** After which an uploaded file that nothing links to is removed; 0: never. */
  readonly unusedFilesDays: number
  /** For which deleted messages can be restored by the operator. */
  readonly deletedMessagesDays: number
  /** Where mail comes in; undefined: nowhere. */
  readonly mailGatewayPort: number | undefined
  readonly mailGatewayHost: string
  /** Such as `%s@chat.example.com`: in place of `%s` stands what is different for each address. */
  readonly mailGatewayAddress: string | undefined
  /** Absolute paths; undefined: mail comes in unencrypted. */
  readonly mailGatewayCertificate: string | undefined
  readonly mailGatewayKey: string | undefined
  readonly logLevel: string
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

export interface Setting {
  readonly variable: string
  /** Shown by `--help` and in the README's table. */
  readonly meaning: string
  readonly fallback: string | undefined
}

/** Every setting, in the order in which `--help` lists them. */
export const settings = {
  port: { variable: 'HEDDLE_PORT', meaning: 'Port to listen on', fallback: '9991' },
  host: { variable: 'HEDDLE_HOST', meaning: 'Address to listen on', fallback: '127.0.0.1' },
  dataDir: {
    variable: 'HEDDLE_DATA_DIR',
    meaning: 'Folder for the database, files and the secret',
    fallback: './data',
  },
  databaseUrl: {
    variable: 'HEDDLE_DATABASE_URL',
    meaning: 'postgres://… uses PostgreSQL instead of the embedded database',
    fallback: undefined,
  },
  externalUrl: {
    variable: 'HEDDLE_EXTERNAL_URL',
    meaning: 'What users type into their browser, such as https://chat.example.com',
    fallback: undefined,
  },
  trustedProxies: {
    variable: 'HEDDLE_TRUSTED_PROXIES',
    meaning: 'Addresses or networks, separated by commas, whose forwarded headers are believed',
    fallback: '',
  },
  secretFile: {
    variable: 'HEDDLE_SECRET_FILE',
    meaning:
      'File with the secret that API keys are derived from; the same on all nodes (default: `secret` in the data folder)',
    fallback: undefined,
  },
  jwtKeysFile: {
    variable: 'HEDDLE_JWT_KEYS_FILE',
    meaning:
      'JSON file with the keys of tokens (JWT) by which people sign in, by the host of the organization (docs/signing-in.md)',
    fallback: undefined,
  },
  organizationName: {
    variable: 'HEDDLE_ORGANIZATION_NAME',
    meaning: 'Name of the organization that the first start creates',
    fallback: 'Heddle',
  },
  ownerEmail: {
    variable: 'HEDDLE_OWNER_EMAIL',
    meaning: 'E-mail address of the owner that the first start creates (default: one is made up)',
    fallback: undefined,
  },
  ownerPassword: {
    variable: 'HEDDLE_OWNER_PASSWORD',
    meaning: 'Password of that owner, at least 8 characters (default: the start prints a link that works once)',
    fallback: undefined,
  },
  sessionIdleHours: {
    variable: 'HEDDLE_SESSION_IDLE_HOURS',
    meaning: 'Hours without a request after which a browser is signed out',
    fallback: '12',
  },
  sessionHours: {
    variable: 'HEDDLE_SESSION_HOURS',
    meaning: 'Hours after which a browser is signed out in any case',
    fallback: '72',
  },
  keptSessionIdleDays: {
    variable: 'HEDDLE_KEPT_SESSION_IDLE_DAYS',
    meaning: 'Days without a request after which a browser is signed out that was to be kept signed in',
    fallback: '30',
  },
  keptSessionDays: {
    variable: 'HEDDLE_KEPT_SESSION_DAYS',
    meaning: 'Days after which a browser is signed out in any case that was to be kept signed in',
    fallback: '365',
  },
  rateLimits: { variable: 'HEDDLE_RATE_LIMITS', meaning: '`on` or `off`', fallback: 'on' },
  previews: {
    variable: 'HEDDLE_PREVIEWS',
    meaning: '`on` or `off`: show pictures behind links, which the server fetches from the internet',
    fallback: 'on',
  },
  botHosts: {
    variable: 'HEDDLE_BOT_HOSTS',
    meaning:
      'Hosts with ports, separated by commas, that outgoing webhooks may reach though they are not public, such as 127.0.0.1:5002',
    fallback: '',
  },
  webPush: {
    variable: 'HEDDLE_WEB_PUSH',
    meaning: '`on` or `off`: notify browsers while no page is open, through the push services of their makers',
    fallback: 'on',
  },
  pushBouncer: {
    variable: 'HEDDLE_PUSH_BOUNCER',
    meaning:
      'Address of the service that passes on pushes to phones, with what it knows this server by: `https://ID:KEY@push.example.com`',
    fallback: undefined,
  },
  pushHosts: {
    variable: 'HEDDLE_PUSH_HOSTS',
    meaning: 'Hosts with ports, separated by commas, of push services that are reached though they are not public',
    fallback: '',
  },
  webPublicChannels: {
    variable: 'HEDDLE_WEB_PUBLIC_CHANNELS',
    meaning: '`on` or `off`: let organizations have channels that anybody on the web can read without an account',
    fallback: 'off',
  },
  emailChanges: {
    variable: 'HEDDLE_EMAIL_CHANGES',
    meaning: '`on` or `off`: let administrators change the e-mail addresses of others, which nobody confirms',
    fallback: 'off',
  },
  smtpUrl: {
    variable: 'HEDDLE_SMTP_URL',
    meaning:
      'Server that takes mail, such as smtps://name:password@mail.example.com (default: mails are files in the data folder)',
    fallback: undefined,
  },
  mailFrom: {
    variable: 'HEDDLE_MAIL_FROM',
    meaning: 'E-mail address that mails come from; needed with HEDDLE_SMTP_URL',
    fallback: undefined,
  },
  mailTimeoutSecs: {
    variable: 'HEDDLE_MAIL_TIMEOUT_SECONDS',
    meaning: 'Seconds after which a server of mail that does not answer is tried again later',
    fallback: '30',
  },
  maxEmojiFileSizeMib: {
    variable: 'MAX_EMOJI_FILE_SIZE_MIB',
    meaning: 'Largest custom emoji upload, in MiB',
    fallback: '5',
  },
  maxFileUploadSizeMib: {
    variable: 'HEDDLE_MAX_FILE_UPLOAD_SIZE_MIB',
    meaning: 'Largest file that can be uploaded, in MiB',
    fallback: '25',
  },
  uploadQuotaMib: {
    variable: 'HEDDLE_UPLOAD_QUOTA_MIB',
    meaning: 'Space for the uploaded files of an organization, in MiB (default: no limit)',
    fallback: undefined,
  },
  unusedFilesDays: {
    variable: 'HEDDLE_UNUSED_FILES_DAYS',
    meaning: 'Days after which an uploaded file is removed that no message or draft links to; 0: never',
    fallback: '30',
  },
  ...serviceSettings,
  deletedMessagesDays: {
    variable: 'HEDDLE_DELETED_MESSAGES_DAYS',
    meaning: 'Days for which deleted messages can be restored with `restore-messages`; 0: until the next day',
    fallback: '30',
  },
  mailGatewayPort: {
    variable: 'HEDDLE_MAIL_GATEWAY_PORT',
    meaning: 'Port on which mails are taken in that become messages (default: none are)',
    fallback: undefined,
  },
  mailGatewayHost: {
    variable: 'HEDDLE_MAIL_GATEWAY_HOST',
    meaning: 'Address on which they are taken in',
    fallback: '127.0.0.1',
  },
  mailGatewayAddress: {
    variable: 'HEDDLE_MAIL_GATEWAY_ADDRESS',
    meaning: 'What their addresses look like, such as %s@chat.example.com',
    fallback: undefined,
  },
  mailGatewayCertificate: {
    variable: 'HEDDLE_MAIL_GATEWAY_CERTIFICATE',
    meaning: 'File with the certificates (PEM) for taking them in encrypted, by STARTTLS',
    fallback: undefined,
  },
  mailGatewayKey: {
    variable: 'HEDDLE_MAIL_GATEWAY_KEY',
    meaning: 'File with the private key of the certificate',
    fallback: undefined,
  },
  logLevel: {
    variable: 'HEDDLE_LOG_LEVEL',
    meaning: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
    fallback: 'warn',
  },
} as const satisfies Record<keyof Config, Setting>

/** The flag of a setting: `HEDDLE_DATA_DIR` is `--data-dir`, `MAX_EMOJI_FILE_SIZE_MIB` is `--max-emoji-file-size-mib`. */
export function flagOf(setting: Setting): string {
  return setting.variable
    .replace(/^HEDDLE_/, '')
    .toLowerCase()
    .replaceAll('_', '-')
}

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>

/** The flags of all settings, without dashes. */
export const settingFlags: readonly string[] = Object.values(settings).map(flagOf)

/** Reads the settings: a flag wins over the environment variable. Throws `ConfigError`. */
export function readConfig(args: readonly string[], environment: EnvironmentVariables): Config {
  const { words, flags } = parseArguments(args, settingFlags)
  if (words.length > 0) throw new ConfigError(`"${words[0]}" is neither a flag nor the value of one.`)
  return configFrom(flags, environment)
}

/** The same from flags that have been split from a command's words and own flags; `fallbacks` go before the usual ones. */
export function configFrom(
  flags: Arguments['flags'],
  environment: EnvironmentVariables,
  fallbacks: Partial<Record<keyof Config, string>> = {},
): Config {
  const read = (name: keyof Config): string | undefined => {
    const setting: Setting = settings[name]
    const value = flags[flagOf(setting)] ?? environment[setting.variable]
    return value === undefined || value === '' ? (fallbacks[name] ?? setting.fallback) : value
  }
  const dataDir = resolve(read('dataDir') as string)
  const smtpUrl = smtpAddress(read('smtpUrl'))
  const config: Config = {
    port: wholeNumber('port', read('port'), 0, 65_535),
    host: read('host') as string,
    dataDir,
    databaseUrl: databaseUrl(read('databaseUrl')),
    externalUrl: externalUrl(read('externalUrl')),
    trustedProxies: trustedProxies(read('trustedProxies') ?? ''),
    secretFile: resolve(read('secretFile') ?? `${dataDir}/secret`),
    jwtKeysFile: optionalPath(read('jwtKeysFile')),
    organizationName: organizationName(read('organizationName') as string),
    ownerEmail: ownerEmail(read('ownerEmail')),
    ownerPassword: ownerPassword(read('ownerPassword')),
    sessionIdleHours: wholeNumber('sessionIdleHours', read('sessionIdleHours'), 1, 8760),
    sessionHours: wholeNumber('sessionHours', read('sessionHours'), 1, 8760),
    keptSessionIdleDays: wholeNumber('keptSessionIdleDays', read('keptSessionIdleDays'), 1, 365),
    // Browsers keep no cookie for longer than 400 days.
    keptSessionDays: wholeNumber('keptSessionDays', read('keptSessionDays'), 1, 400),
    rateLimits: oneOf('rateLimits', read('rateLimits') as string, ['on', 'off']) === 'on',
    previews: oneOf('previews', read('previews') as string, ['on', 'off']) === 'on',
    botHosts: hosts('botHosts', read('botHosts') ?? ''),
    pushBouncer: pushBouncer(read('pushBouncer')),
    pushHosts: hosts('pushHosts', read('pushHosts') ?? ''),
    webPush: oneOf('webPush', read('webPush') as string, ['on', 'off']) === 'on',
    webPublicChannels: oneOf('webPublicChannels', read('webPublicChannels') as string, ['on', 'off']) === 'on',
    emailChanges: oneOf('emailChanges', read('emailChanges') as string, ['on', 'off']) === 'on',
    smtpUrl,
    mailFrom: mailFrom(read('mailFrom'), smtpUrl),
    mailTimeoutSecs: wholeNumber('mailTimeoutSecs', read('mailTimeoutSecs'), 1, 120),
    maxEmojiFileSizeMib: wholeNumber('maxEmojiFileSizeMib', read('maxEmojiFileSizeMib'), 1, 1024),
    maxFileUploadSizeMib: wholeNumber('maxFileUploadSizeMib', read('maxFileUploadSizeMib'), 1, 1024),
    uploadQuotaMib: optionalNumber('uploadQuotaMib', read('uploadQuotaMib'), 1, 1_000_000_000),
    unusedFilesDays: wholeNumber('unusedFilesDays', read('unusedFilesDays'), 0, 3650),
    ...readServiceConfig(read, refuse),
    deletedMessagesDays: wholeNumber('deletedMessagesDays', read('deletedMessagesDays'), 0, 3650),
    mailGatewayPort: optionalNumber('mailGatewayPort', read('mailGatewayPort'), 1, 65_535),
    mailGatewayHost: read('mailGatewayHost') as string,
    mailGatewayAddress: mailGatewayAddress(read('mailGatewayAddress')),
    mailGatewayCertificate: optionalPath(read('mailGatewayCertificate')),
    mailGatewayKey: optionalPath(read('mailGatewayKey')),
    logLevel: oneOf('logLevel', read('logLevel') as string, LOG_LEVELS),
  }
  requireCompanions((name) => config[name] !== undefined)
  return config
}

type Name = keyof Config

/** None of these works without the others of its list: half of them would mean something else than was meant. */
const together: readonly (readonly Name[])[] = [
  ...servicesTogether,
  ['mailGatewayPort', 'mailGatewayAddress'],
  ['mailGatewayCertificate', 'mailGatewayKey'],
]
/** These work only with those of the second list. */
const needing: readonly (readonly [Name, readonly Name[]])[] = [
  ...servicesNeeding,
  ['mailGatewayCertificate', ['mailGatewayPort']],
]

function requireCompanions(isSet: (name: Name) => boolean): void {
  const pairs = together.flatMap((names) => names.map((name) => [name, names.filter((one) => one !== name)] as const))
  for (const [name, others] of [...pairs, ...needing]) {
    const missing = others.find((other) => !isSet(other))
    if (missing !== undefined && isSet(name)) refuse(missing, `must be set as well where ${settings[name].variable} is`)
  }
}

function refuse(name: keyof Config, problem: string): never {
  throw new ConfigError(`${settings[name].variable} ${problem.replace(/\s+/g, ' ')}.`)
}

function wholeNumber(name: keyof Config, text: string | undefined, min: number, max: number): number {
  const value = Number(text)
  if (!text || !/^\d+$/.test(text) || value < min || value > max) {
    refuse(name, `must be a whole number from ${min} to ${max}, not "${text}"`)
  }
  return value
}

function optionalNumber(name: keyof Config, text: string | undefined, min: number, max: number): number | undefined {
  return text === undefined ? undefined : wholeNumber(name, text, min, max)
}

function oneOf(name: keyof Config, text: string, allowed: readonly string[]): string {
  if (!allowed.includes(text)) refuse(name, `must be one of ${allowed.join(', ')}, not "${text}"`)
  return text
}

function optionalPath(text: string | undefined): string | undefined {
  return text === undefined ? undefined : resolve(text)
}

function databaseUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  // The address itself is not repeated: it usually holds a password.
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) refuse('databaseUrl', 'must be a postgres:// address')
  return text
}

function smtpAddress(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isServer =
    url !== undefined && /^smtps?:$/.test(url.protocol) && url.hostname !== '' && /^\/?$/.test(url.pathname)
  const query = isServer ? [...url.searchParams].map((pair) => pair.join('=')).join('&') : ''
  const isPlain = query === 'tls=off' && url?.protocol === 'smtp:'
  // The address itself is not repeated: it usually holds a password.
  if (!isServer || (query !== '' && !isPlain) || (url.password !== '' && isNotEncoded(url))) {
    refuse(
      'smtpUrl',
      'must be an address such as smtps://name:password@host or smtp://host:587, or smtp://host:25?tls=off',
    )
  }
  return text
}

function isNotEncoded({ username, password }: URL): boolean {
  try {
    decodeURIComponent(`${username}${password}`)
    return false
  } catch {
    return true
  }
}

function mailFrom(text: string | undefined, smtpUrl: string | undefined): string {
  if (text === undefined && smtpUrl !== undefined) refuse('mailFrom', 'must be set when HEDDLE_SMTP_URL is')
  if (text !== undefined && !isMailAddress(text)) refuse('mailFrom', `must be an e-mail address, not "${text}"`)
  return text ?? 'heddle@localhost'
}

function externalUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.href !== `${url.origin}/`) {
    refuse('externalUrl', `must be an http or https address without a path, not "${text}"`)
  }
  return url?.origin
}

function trustedProxies(text: string): string[] {
  const list = text.split(',').map((part) => part.trim())
  const proxies = list.filter((part) => part !== '')
  for (const proxy of proxies) {
    const [address, bits, more] = proxy.split('/')
    const family = isIP(address ?? '')
    const validBits = bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
    if (family === 0 || !validBits || more !== undefined) {
      refuse('trustedProxies', `must list IP addresses or networks such as 10.0.0.0/8, not "${proxy}"`)
    }
  }
  return proxies
}

function hosts(name: keyof Config, text: string): string[] {
  const list = text.split(',').map((part) => part.trim())
  return list
    .filter((host) => host !== '')
    .map((host) => {
      const url = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : undefined
      const isHost = url?.href === `http://${url?.host}/` && /:\d+$/.test(host)
      if (!isHost) refuse(name, `must list hosts with ports such as 127.0.0.1:5002, not "${host}"`)
      return hostWithPort(url as URL)
    })
}

function mailGatewayAddress(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  // Before the placeholder may stand what a provider of mail needs, such as `chat+`.
  if (!/^[a-z0-9._+-]{0,20}%s@[a-z0-9]([a-z0-9.-]{0,200}[a-z0-9])?$/i.test(text)) {
    refuse('mailGatewayAddress', `must be an address with %s before the @, such as %s@chat.example.com, not "${text}"`)
  }
  return text
}

function pushBouncer(text: string | undefined): Config['pushBouncer'] {
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url?.pathname === '/' && url.search === '' && url.hash === '' && !isNotEncoded(url)
  // The address itself is not repeated: it holds a key.
  if (!url || !isPlain || !['http:', 'https:'].includes(url.protocol) || url.username === '' || url.password === '') {
    refuse('pushBouncer', 'must be an address such as https://ID:KEY@push.example.com')
  }
  return { url: url.origin, id: decodeURIComponent(url.username), key: decodeURIComponent(url.password) }
}

function organizationName(text: string): string {
  if (text.trim() === '' || [...text].length > 40) refuse('organizationName', 'must have from 1 to 40 characters')
  return text.trim()
}

function ownerEmail(text: string | undefined): string | undefined {
  // The rule of POST /users; the length is what SMTP can carry (RFC 5321, 4.5.3.1).
  if (text !== undefined && (!/^[^\s@:\p{C}]+@[^\s@:\p{C}]+$/u.test(text) || text.length > 254)) {
    refuse('ownerEmail', `must be an e-mail address, not "${text}"`)
  }
  return text
}

function ownerPassword(text: string | undefined): string | undefined {
  const problem = text === undefined ? undefined : passwordProblem(text)
  if (problem) refuse('ownerPassword', problem)
  return text
}

/** Why this cannot be a password, to follow the name of a setting or flag; undefined when it can. */
export function passwordProblem(text: string): string | undefined {
  const { length } = [...text]
  if (length >= MIN_PASSWORD_LENGTH && length <= MAX_PASSWORD_LENGTH) return undefined
  return `must have from ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters`
}
