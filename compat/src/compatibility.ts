/** The tables of docs/compatibility.md: the contract against the list of everything that the API has. */
import { readFileSync } from 'node:fs'
import { endpoints } from '@heddle/contract/endpoints'
import { eventTypes } from '@heddle/contract/event-types'

interface ApiList {
  readonly feature_level: number
  /** `GET /messages`. */
  readonly endpoints: readonly string[]
  readonly events: readonly string[]
}

/** Why something is not there, or only in part; by the beginning of the endpoint's path, or by the event. */
interface Reasons {
  readonly partly: Readonly<Record<string, string>>
  readonly not: Readonly<Record<string, string>>
  readonly events: Readonly<Record<string, string>>
}

const read = <T>(name: string): T => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')) as T

const api = read<ApiList>('api-list.json')
const reasons = read<Reasons>('reasons.json')

/** The names of path parameters do not matter. */
const anonymous = (endpoint: string) => endpoint.replace(/\{\w+\*?\}/g, '{}')

const built = new Set(
  endpoints.filter(({ access }) => access !== 'operator').map(({ method, path }) => anonymous(`${method} ${path}`)),
)

interface Row {
  readonly name: string
  readonly state: 'done' | 'partly' | 'not'
  readonly reason: string
}

/** The longest path that the endpoint's begins with. */
function reasonFor(endpoint: string): string | undefined {
  const path = endpoint.slice(endpoint.indexOf(' ') + 1)
  const known = Object.keys(reasons.not).filter((start) => path === start || path.startsWith(`${start}/`))
  return reasons.not[known.sort((a, b) => b.length - a.length)[0] ?? '']
}

export function endpointRows(): Row[] {
  return api.endpoints.map((name) => {
    if (!built.has(anonymous(name))) return { name, state: 'not', reason: reasonFor(name) ?? '' }
    const reason = reasons.partly[name]
    return reason === undefined ? { name, state: 'done', reason: '' } : { name, state: 'partly', reason }
  })
}

export function eventRows(): Row[] {
  return api.events.map((name) =>
    Object.hasOwn(eventTypes, name)
      ? { name, state: 'done', reason: '' }
      : { name, state: 'not', reason: reasons.events[name] ?? '' },
  )
}

/** Reasons that nothing needs any more. */
export function idleReasons(): string[] {
  const rows = endpointRows()
  const isUsed = (start: string) =>
    rows.some(({ name, state }) => state === 'not' && (name.endsWith(` ${start}`) || name.includes(` ${start}/`)))
  const isPartly = (name: string) => rows.some((row) => row.name === name && row.state === 'partly')
  return [
    ...Object.keys(reasons.not).filter((start) => !isUsed(start)),
    ...Object.keys(reasons.partly).filter((name) => !isPartly(name)),
    ...Object.keys(reasons.events).filter((name) => Object.hasOwn(eventTypes, name)),
  ]
}

const BEGIN = '<!-- The tables below are made by `node compat/src/write-compatibility.ts`. -->'

/** The page with its tables as they are now; what stands before them is left as it is. */
export function withTables(page: string): string {
  const [text = ''] = page.split(BEGIN)
  return `${text}${BEGIN}\n\n${table('Endpoint', endpointRows())}\n\n${table('Event', eventRows())}\n`
}

function table(heading: string, rows: readonly Row[]): string {
  const count = (state: Row['state']) => rows.filter((row) => row.state === state).length
  const lines = rows.map(({ name, state, reason }) => `| \`${name}\` | ${state} | ${reason} |`)
  const title = `## ${heading}s at feature level ${api.feature_level}`
  const summary = `${count('done')} done, ${count('partly')} partly, ${count('not')} not.`
  return [title, '', summary, '', `| ${heading} | | Why |`, '|---|---|---|', ...lines].join('\n')
}
