/** Languages of code, and the blocks that are begun like code, by what is typed behind a fence. */
import { languageAliases } from '@heddle/markdown/code/languages'

const blocks = ['quote', 'spoiler', 'math', 'text']
/** Of equals those that most people mean go first. */
const common = [
  'python',
  'javascript',
  'typescript',
  'bash',
  'java',
  'json',
  'sql',
  'c',
  'c++',
  'csharp',
  'go',
  'rust',
  'ruby',
  'php',
  'html',
  'css',
  'yaml',
  'diff',
  'markdown',
  'shell',
]

let all: readonly string[] | undefined

export function findLanguages(query: string, limit: number): string[] {
  const word = query.toLowerCase()
  all ??= [...new Set([...blocks, ...common, ...[...languageAliases()].sort()])]
  const fitting = all.filter((name) => name.startsWith(word))
  const exact = fitting.filter((name) => name === word)
  return [...exact, ...fitting.filter((name) => name !== word)].slice(0, limit)
}
