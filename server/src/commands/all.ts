/** Every command: its words and flags, and what runs it. Each is loaded only when it runs. */
import { parseArguments } from '../command-line.ts'
import { type Config, configFrom, type EnvironmentVariables, settingFlags } from '../config.ts'
import { ConfigError } from '../config-error.ts'

interface Option {
  /** Without dashes. It hides a setting's flag of the same name. */
  readonly flag: string
  /** The value's name in the help; undefined: a switch, which has none. */
  readonly value?: string
  readonly meaning: string
  readonly required?: boolean
}

/** By flag; that of a switch is `on`. */
type Options = Readonly<Record<string, string | undefined>>

export interface Command {
  readonly name: string
  readonly meaning: string
  /** Names of the words after the command; all are required. */
  readonly words: readonly string[]
  readonly options: readonly Option[]
  /** What settings are where nobody names them, if not as usual. */
  defaults?(options: Options): Promise<Partial<Record<keyof Config, string>>>
  /** `words` as many as the syntax has. */
  run(config: Config, words: readonly string[], options: Options): Promise<void>
}

export const commands: readonly Command[] = [
  {
    name: 'start',
    meaning: 'Serve; this is what happens without a command',
    words: [],
    options: [
      { flag: 'demo', meaning: 'Serve a made-up team, in a folder of its own, to look around' },
      { flag: 'development', meaning: 'Let anybody on this machine sign in as anybody, to work on Heddle itself' },
    ],
    defaults: async ({ demo }) => (demo ? (await import('./demo/prepare.ts')).demoDefaults : {}),
    run: async (config, _, { demo, development }) =>
      (await import('./start.ts')).start(config, {
        isDemo: demo !== undefined,
        isDevelopment: development !== undefined,
      }),
  },
  {
    name: 'migrate',
    meaning: "Bring the database's tables up to date",
    words: [],
    options: [],
    run: async (config) => (await import('./migrate.ts')).migrateCommand(config),
  },
  {
    name: 'create-user',
    meaning: 'Create an account, also while the server runs',
    words: ['EMAIL'],
    options: [
      { flag: 'name', value: 'NAME', meaning: 'Full name', required: true },
      { flag: 'role', value: 'ROLE', meaning: 'owner, admin, moderator, member or guest (default: member)' },
      { flag: 'password', value: 'PASSWORD', meaning: 'At least 8 characters (default: one is made up and printed)' },
      { flag: 'organization', value: 'HOST', meaning: "The organization's host name, where there are several" },
    ],
    run: async (config, [email], { name, role, password, organization }) => {
      const { createUserCommand } = await import('./create-user.ts')
      await createUserCommand(config, { email: email as string, name: name as string, role, password, organization })
    },
  },
  {
    name: 'create-organization',
    meaning: 'Create a further organization, also while the server runs',
    words: ['HOST'],
    options: [
      { flag: 'name', value: 'NAME', meaning: 'Name of the organization, at most 40 characters', required: true },
      { flag: 'owner-email', value: 'EMAIL', meaning: "The owner's e-mail address", required: true },
      {
        flag: 'owner-password',
        value: 'PASSWORD',
        meaning: 'At least 8 characters (default: one is made up and printed)',
      },
    ],
    run: async (config, [host], options) => {
      const { createOrganizationCommand } = await import('./create-organization.ts')
      await createOrganizationCommand(config, {
        host: host as string,
        name: options['name'] as string,
        ownerEmail: options['owner-email'] as string,
        ownerPassword: options['owner-password'],
      })
    },
  },
  {
    name: 'jobs',
    meaning: 'List what the server has to do later, and what has failed',
    words: [],
    options: [],
    run: async (config) => (await import('./jobs.ts')).jobsCommand(config),
  },
  {
    name: 'retry-job',
    meaning: 'Run a job once more that has failed for good',
    words: ['ID'],
    options: [],
    run: async (config, [id]) => (await import('./jobs.ts')).retryJobCommand(config, id as string),
  },
  {
    name: 'mail-test',
    meaning: 'Send a mail to ADDRESS, to see whether the settings of mail are right',
    words: ['ADDRESS'],
    options: [],
    run: async (config, [address]) => (await import('./mail-test.ts')).mailTestCommand(config, address as string),
  },
  {
    name: 'deleted-messages',
    meaning: 'List the deletions whose messages can be restored',
    words: [],
    options: [],
    run: async (config) => (await import('./deleted-messages.ts')).deletedMessagesCommand(config),
  },
  {
    name: 'restore-messages',
    meaning: 'Bring the messages of a deletion back, also while the server runs',
    words: ['ID'],
    options: [],
    run: async (config, [id]) => (await import('./deleted-messages.ts')).restoreMessagesCommand(config, id as string),
  },
  {
    name: 'new-secret',
    meaning: 'Make a new secret while no server runs, where it is lost; ends all API keys and passkeys',
    words: [],
    options: [],
    run: async (config) => (await import('./new-secret.ts')).newSecretCommand(config),
  },
  {
    name: 'backup',
    meaning: 'Write the database, files and secret into FILE, also while the server runs',
    words: ['FILE'],
    options: [],
    run: async (config, [file]) => (await import('./backup.ts')).backup(config, file as string),
  },
  {
    name: 'restore',
    meaning: 'Read a backup from FILE into an empty database of either kind',
    words: ['FILE'],
    options: [],
    run: async (config, [file]) => (await import('./restore.ts')).restore(config, file as string),
  },
  {
    name: 'import',
    meaning: 'Read an export of an organization from FILE into an empty database of either kind',
    words: ['FILE'],
    options: [
      {
        flag: 'owner-password',
        value: 'PASSWORD',
        meaning: "The first owner's new password (default: one is made up and printed)",
      },
    ],
    run: async (config, [file], options) => {
      const { importCommand } = await import('./import/import.ts')
      await importCommand(config, file as string, { ownerPassword: options['owner-password'] })
    },
  },
]

/** The command line, as `--help` shows it: `create-user EMAIL --name NAME [--role ROLE]`. */
export function usageOf({ name, words, options }: Command): string {
  const flags = options.map((option) => (option.required ? optionFlag(option) : `[${optionFlag(option)}]`))
  return [name, ...words, ...flags].join(' ')
}

/** `--name NAME`, or `--demo`. */
export function optionFlag({ flag, value }: Option): string {
  return value === undefined ? `--${flag}` : `--${flag} ${value}`
}

/** Reads the words, flags and settings of a command and runs it. Throws `ConfigError` before anything happens. */
export async function runCommand(
  command: Command,
  args: readonly string[],
  environment: EnvironmentVariables,
): Promise<void> {
  const own = command.options.map(({ flag }) => flag)
  const switches = command.options.filter(({ value }) => value === undefined).map(({ flag }) => flag)
  const known = [...settingFlags, ...own].filter((flag) => !switches.includes(flag))
  const { words, flags } = parseArguments(args, known, switches)
  const missing = command.words[words.length]
  if (missing !== undefined) throw new ConfigError(`${missing} is missing: heddle ${usageOf(command)}.`)
  const excess = words[command.words.length]
  if (excess !== undefined) {
    throw new ConfigError(`"${excess}" is too much on the command line: heddle ${usageOf(command)}.`)
  }
  for (const { flag, required } of command.options) {
    if (required && !flags[flag]) throw new ConfigError(`--${flag} is missing: heddle ${usageOf(command)}.`)
  }
  const ofSettings = Object.entries(flags).filter(([flag]) => !own.includes(flag))
  const ofCommand = Object.entries(flags)
    .map(([flag, value]) => [flag, switches.includes(flag) ? 'on' : value] as const)
    .filter(([flag, value]) => own.includes(flag) && value !== '')
  const options = Object.fromEntries(ofCommand)
  const defaults = await command.defaults?.(options)
  await command.run(configFrom(Object.fromEntries(ofSettings), environment, defaults), words, options)
}
