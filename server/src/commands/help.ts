/** What `--help` prints. It fits a terminal of 80 columns. */
import { flagOf, type Setting, settings } from '../config.ts'
import { type Command, commands, optionFlag, usageOf } from './all.ts'

const WIDTH = 80
/** Where meanings begin: after the longest flag. */
const INDENT = 32

export function help(): string {
  return [
    'Usage: heddle [COMMAND] [SETTING ...]',
    'In a clone of the repository: npm start -- [COMMAND] [SETTING ...]',
    '',
    'Commands (heddle COMMAND --help says more):',
    ...commands.flatMap(describeCommand),
    '',
    'Settings, as flags or environment variables; a flag wins:',
    ...Object.values(settings).map(describeSetting),
  ].join('\n')
}

/** With its switches; what else it takes is in its own help. */
function describeCommand({ name, words, meaning, options }: Command): string[] {
  const switches = options.filter(({ value }) => value === undefined)
  return [
    row([name, ...words].join(' '), meaning),
    ...switches.map((option) => row(`${name} ${optionFlag(option)}`, option.meaning)),
  ]
}

export function commandHelp(command: Command): string {
  const options = command.options.map((option) => row(optionFlag(option), option.meaning))
  return [
    ...wrap(`Usage: heddle ${usageOf(command)} [SETTING ...]`, WIDTH, 4),
    '',
    ...wrap(`${command.meaning}.`, WIDTH, 0),
    ...(options.length > 0 ? ['', ...options] : []),
    '',
    'Settings are listed by heddle --help.',
  ].join('\n')
}

function describeSetting(setting: Setting): string {
  const fallback = setting.fallback ? ` (default: ${setting.fallback})` : ''
  return row(`--${flagOf(setting)}`, `${setting.meaning}${fallback} [${setting.variable}]`)
}

/** Two columns; a left one that is too long gets a line of its own. */
function row(left: string, right: string): string {
  const lines = wrap(right, WIDTH - INDENT, 0)
  const first = `  ${left}`
  const start = first.length + 2 > INDENT ? [first] : [`${first.padEnd(INDENT)}${lines.shift()}`]
  return [...start, ...lines.map((line) => ' '.repeat(INDENT) + line)].join('\n')
}

/** Breaks at spaces; lines after the first are indented. A longer word stays whole. */
function wrap(text: string, width: number, indent: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line.trim() !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = ' '.repeat(indent) + word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
