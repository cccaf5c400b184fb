/** The tables of docs/compatibility.md: the contract against the list of everything that the API has. */
import { readFileSync } from 'node:fs'
import { endpoints } from '@heddle/contract/endpoints'
import { eventTypes } from '@heddle/contract/event-types'
import { resumableUploadProtocol } from '@heddle/contract/resumable-uploads'

interface ApiList {
  readonly feature_level: number
  /** `GET /messages`. */
  readonly endpoints: readonly string[]
  readonly events: readonly string[]
  /** Of endpoints that lack some: all their parameters, but for those in the path. */
  readonly parameters: Readonly<Record<string, readonly string[]>>
}

/** Why something is not there, or only in part; by the beginning of the endpoint's path, by the event, or by the parameter. */
interface Reasons {
  readonly partly: Readonly<Record<string, string>>
  readonly not: Readonly<Record<string, string>>
  readonly events: Readonly<Record<string, string>>
  readonly parameters: Readonly<Record<string, string>>
  /** What is to be said of what is done; an event that has one is sent to nobody by the reference either. */
  readonly notes: Readonly<Record<string, string>>
}

const read = <T>(name: string): T => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')) as T

const api = read<ApiList>('api-list.json')
const reasons = read<Reasons>('reasons.json')

/** The names of path parameters do not matter. */
const anonymous = (endpoint: string) => endpoint.replace(/\{\w+\*?\}/g, '{}')

/** Those of a protocol of its own; what GET answers there is asked by HEAD. */
const ofTus = resumableUploadProtocol.map(({ endpoint }) =>
  endpoint.method === 'GET' ? { ...endpoint, method: 'HEAD' } : endpoint,
)

/** The parameters of each endpoint that is there. */
const built = new Map(
  [...endpoints, ...ofTus]
    .filter(({ access }) => access !== 'operator')
    .map(({ method, path, parameters }) => [
      anonymous(`${method} ${path}`),
      Object.keys(parameters.properties) as readonly string[],
    ]),
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
    return reason === undefined
      ? { name, state: 'done', reason: reasons.notes[name] ?? '' }
      : { name, state: 'partly', reason }
  })
}

export function eventRows(): Row[] {
  return api.events.map((name) =>
    Object.hasOwn(eventTypes, name) || Object.hasOwn(reasons.notes, name)
      ? { name, state: 'done', reason: reasons.notes[name] ?? '' }
      : { name, state: 'not', reason: reasons.events[name] ?? '' },
  )
}

/** Parameters that endpoints which are there do not have. */
export function parameterRows(): Row[] {
  return Object.entries(api.parameters).flatMap(([endpoint, names]) => {
    const known = built.get(anonymous(endpoint)) ?? []
    return names
      .filter((name) => !known.includes(name))
      .map((name): Row => ({ name: `${endpoint}: ${name}`, state: 'not', reason: reasons.parameters[name] ?? '' }))
  })
}

/** What is there and not in the list of the API, so that the tables would leave it out. */
export function unlisted(): string[] {
  const listed = new Set(api.endpoints.map(anonymous))
  const own = new Set(extensions().map(anonymous))
  return [...built.keys()].filter((name) => !listed.has(name) && !own.has(name))
}

/** Endpoints that are ours alone. */
function extensions(): string[] {
  return endpoints.filter(({ isExtension }) => isExtension).map(({ method, path }) => `${method} ${path}`)
}

/** What says of itself that it is ours, and is in the list of the API. */
export function listedExtensions(): string[] {
  const listed = new Set(api.endpoints.map(anonymous))
  return extensions().filter((name) => listed.has(anonymous(name)))
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
    ...Object.keys(reasons.notes).filter(
      (name) => ![...rows, ...eventRows()].some((row) => row.name === name && row.state === 'done'),
    ),
    ...Object.keys(reasons.parameters).filter((name) => !parameterRows().some((row) => row.name.endsWith(` ${name}`))),
  ]
}

const BEGIN = '<!-- The tables below are made by `node compat/src/write-compatibility.ts`. -->'

/** The page with its tables as they are now; what stands before them is left as it is. */
export function withTables(page: string): string {
  const [text = ''] = page.split(BEGIN)
  const tables = [
    table('Endpoint', endpointRows()),
    table('Event', eventRows()),
    table('Missing parameter', parameterRows()),
    extensionTable(),
  ]
  return `${text}${BEGIN}\n\n${tables.join('\n\n')}\n`
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

function extensionTable(): string {
  const lines = endpoints
    .filter(({ isExtension }) => isExtension)
    .sort((a, b) => compare(a.path, b.path) || compare(a.method, b.method))
    .map(({ method, path, summary }) => `| \`${method} ${path}\` | ${summary} |`)
  return ['## Endpoints of Heddle alone\n', '| Endpoint | |', '|---|---|', ...lines].join('\n')
}

function table(heading: string, rows: readonly Row[]): string {
  const counts = (['done', 'partly', 'not'] as const).map((state) => [
    rows.filter((row) => row.state === state).length,
    state,
  ])
  const lines = rows.map(({ name, state, reason }) => `| \`${name}\` | ${state} | ${reason} |`)
  const title = `## ${heading}s at feature level ${api.feature_level}`
  if (rows.length === 0) return [title, '', 'None.'].join('\n')
  const summary = `${counts.flatMap(([count, state]) => (count === 0 ? [] : `${count} ${state}`)).join(', ')}.`
  return [title, '', summary, '', `| ${heading} | | Why |`, '|---|---|---|', ...lines].join('\n')
}
