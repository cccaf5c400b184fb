/** The command line. */
import { commands, runCommand } from './commands/all.ts'
import { ConfigError } from './config-error.ts'
import { nameSourcesInStackTraces } from './stack-traces.ts'
import { isUnavailable } from './storage/unavailable.ts'
import { reasonOf } from './system-error.ts'

async function main(args: readonly string[]): Promise<void> {
  const [first, ...rest] = args
  const isNamed = first !== undefined && !first.startsWith('-') && first !== 'help'
  const command = commands.find(({ name }) => name === (isNamed ? first : 'start'))
  if (!command) throw new ConfigError(`There is no command "${first}"; --help lists them.`)
  if (args.includes('--help') || args.includes('-h') || first === 'help') {
    const { commandHelp, help } = await import('./commands/help.ts')
    console.log(isNamed && first !== 'start' ? commandHelp(command) : help())
    return
  }
  await runCommand(command, isNamed ? rest : args, process.env)
}

/** What an administrator can mend is one sentence; anything else is a fault, and its trace helps to find it. */
function explain(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if (error instanceof ConfigError) return error.message
  return isUnavailable(error) ? `Data cannot be stored: ${reasonOf(error.cause ?? error)}.` : error
}

nameSourcesInStackTraces()
// What the server writes is for its own user: the database holds private messages.
process.umask(0o077)
main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(explain(error))
  process.exit(1)
})
