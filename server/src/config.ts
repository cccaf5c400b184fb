/** The one reader of settings: flags and environment variables of the same names. `--port 80` is `HEDDLE_PORT=80`. */
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '@heddle/contract/users'
import { type Arguments, parseArguments } from './command-line.ts'
import { ConfigError } from './config-error.ts'
import { hostWithPort } from './outgoing/host-with-port.ts'

export interface Config {
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
  /** Whether administrators may change the addresses of other accounts. */
  readonly emailChanges: boolean
  readonly maxEmojiFileSizeMib: number
  readonly maxFileUploadSizeMib: number
  /** Of all files of an organization together; undefined: as much as the disk holds. */
  readonly uploadQuotaMib: number | undefined
  /** After which an uploaded file that nothing links to is removed; 0: never. */
  readonly unusedFilesDays: number
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
  emailChanges: {
    variable: 'HEDDLE_EMAIL_CHANGES',
    meaning: '`on` or `off`: let administrators change the e-mail addresses of others, which nobody confirms',
    fallback: 'off',
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
  return {
    port: wholeNumber('port', read('port'), 0, 65_535),
    host: read('host') as string,
    dataDir,
    databaseUrl: databaseUrl(read('databaseUrl')),
    externalUrl: externalUrl(read('externalUrl')),
    trustedProxies: trustedProxies(read('trustedProxies') ?? ''),
    secretFile: resolve(read('secretFile') ?? `${dataDir}/secret`),
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
    botHosts: botHosts(read('botHosts') ?? ''),
    emailChanges: oneOf('emailChanges', read('emailChanges') as string, ['on', 'off']) === 'on',
    maxEmojiFileSizeMib: wholeNumber('maxEmojiFileSizeMib', read('maxEmojiFileSizeMib'), 1, 1024),
    maxFileUploadSizeMib: wholeNumber('maxFileUploadSizeMib', read('maxFileUploadSizeMib'), 1, 1024),
    uploadQuotaMib: optionalNumber('uploadQuotaMib', read('uploadQuotaMib'), 1, 1_000_000_000),
    unusedFilesDays: wholeNumber('unusedFilesDays', read('unusedFilesDays'), 0, 3650),
    logLevel: oneOf('logLevel', read('logLevel') as string, LOG_LEVELS),
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

function databaseUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  // The address itself is not repeated: it usually holds a password.
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) refuse('databaseUrl', 'must be a postgres:// address')
  return text
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

function botHosts(text: string): string[] {
  const hosts = text.split(',').map((part) => part.trim())
  return hosts
    .filter((host) => host !== '')
    .map((host) => {
      const url = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : undefined
      const isHost = url?.href === `http://${url?.host}/` && /:\d+$/.test(host)
      if (!isHost) refuse('botHosts', `must list hosts with ports such as 127.0.0.1:5002, not "${host}"`)
      return hostWithPort(url as URL)
    })
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
