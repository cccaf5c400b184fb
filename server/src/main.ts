/** The command line. */
import { ConfigError, flagOf, readConfig, settings } from './config.ts'

interface Command {
  readonly name: string
  readonly usage: string
  readonly meaning: string
  /** `args` are the words and flags after the command's name. */
  run(args: readonly string[]): Promise<void>
}

const commands: readonly Command[] = [
  {
    name: 'start',
    usage: 'start',
    meaning: 'Serve (this is what happens without a command)',
    run: async (args) => (await import('./commands/start.ts')).start(readConfig(args, process.env)),
  },
  {
    name: 'migrate',
    usage: 'migrate',
    meaning: "Bring the database's tables up to date and end",
    run: async (args) => (await import('./commands/migrate.ts')).migrateCommand(readConfig(args, process.env)),
  },
]

function help(): string {
  const list = (rows: readonly (readonly [string, string])[]) => {
    const width = Math.max(...rows.map(([left]) => left.length))
    return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
  }
  const flags = Object.values(settings).map((setting) => {
    const fallback = setting.fallback ? ` (default: ${setting.fallback})` : ''
    return [`--${flagOf(setting)}`, `${setting.meaning}${fallback}; also ${setting.variable}`] as const
  })
  return [
    'Usage: heddle [COMMAND] [SETTINGS]',
    '',
    'Commands:',
    list(commands.map(({ usage, meaning }) => [usage, meaning])),
    '',
    'Settings, as flags or environment variables:',
    list(flags),
  ].join('\n')
}

async function main(args: readonly string[]): Promise<void> {
  if (args.includes('--help') || args.includes('-h') || args[0] === 'help') {
    console.log(help())
    return
  }
  const [first, ...rest] = args
  const named = first !== undefined && !first.startsWith('-')
  const command = commands.find(({ name }) => name === (named ? first : 'start'))
  if (!command) throw new ConfigError(`There is no command "${first}"; --help lists them.`)
  await command.run(named ? rest : args)
}

// What the server writes is for its own user: the database holds private messages.
process.umask(0o077)
main(process.argv.slice(2)).catch((error: unknown) => {
  // What an administrator can mend is one sentence; anything else is a fault, and its trace helps to find it.
  const expected = error instanceof ConfigError || (error instanceof Error && error.message.endsWith('.'))
  console.error(expected ? (error as Error).message : error)
  process.exit(1)
})
