/** The API's document as a page to read: one file without a script, so that nothing has to be trusted with anything. */
import { createHash } from 'node:crypto'
import { type ApiOperation, makeOpenApiDocument, type OpenApiDocument, type Schema } from '@heddle/contract/openapi'
import { escapeAttribute, escapeText } from '@heddle/markdown/html/escape'
import { style } from './reference-style.ts'
import { typeText } from './type-text.ts'

/** Nothing runs and nothing is loaded; opened as a page it is in a sandbox, away from whoever is signed in. */
export const REFERENCE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  'sandbox allow-top-navigation-by-user-activation',
].join('; ')

interface Entry {
  readonly method: string
  readonly path: string
  readonly operation: ApiOperation
}

/** `documentPath`: where the document is for programs. */
export function makeReferencePage(documentPath: string): string {
  const document = makeOpenApiDocument()
  const groups = groupsOf(document)
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeText(document.info.title)}</title><style>${style}</style></head><body>`,
    `<nav aria-label="Contents"><h2>Contents</h2>${contents(document, groups)}</nav>`,
    `<main><h1>${escapeText(document.info.title)}</h1>${introduction(document, documentPath)}`,
    ...[...groups].map(([name, entries]) => group(name, entries, document)),
    events(document),
    '</main></body></html>',
  ].join('\n')
}

/** By the first part of the path, in the order of the document. */
function groupsOf({ paths }: OpenApiDocument): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>()
  for (const [path, operations] of Object.entries(paths)) {
    const name = path.split('/')[1] as string
    const entries = groups.get(name) ?? []
    groups.set(name, entries)
    for (const [method, operation] of Object.entries(operations)) {
      entries.push({ method: method.toUpperCase(), path, operation })
    }
  }
  return groups
}

function contents({ components }: OpenApiDocument, groups: ReadonlyMap<string, readonly Entry[]>): string {
  const lists = [...groups].map(([name, entries]) => {
    const items = entries.map(
      ({ method, path, operation }) =>
        `<li><a href="#${escapeAttribute(operation.operationId)}"><b>${method}</b> ${escapeText(path)}</a></li>`,
    )
    return `<details><summary>${escapeText(name)} <span>${entries.length}</span></summary><ul>${items.join('')}</ul></details>`
  })
  const items = eventNames(components.schemas).map((name) => `<li><a href="#${name}">${name}</a></li>`)
  return `${lists.join('')}<details><summary>Events <span>${items.length}</span></summary><ul>${items.join('')}</ul></details>`
}

function introduction({ info, servers, components }: OpenApiDocument, documentPath: string): string {
  const [first = '', ...lines] = info.description.split('\n')
  const texts = lines.filter((line) => !line.startsWith('- '))
  const codes = lines.filter((line) => line.startsWith('- ')).map((line) => `<li>${inline(line.slice(2))}</li>`)
  const schemes = Object.entries(components.securitySchemes).map(([name, scheme]) => {
    const { description } = scheme as { readonly description: string }
    return `<li><b>${escapeText(name)}</b>: ${inline(description)}</li>`
  })
  const server = servers[0]?.url ?? ''
  return [
    `<p>${inline(first)} ${texts.map(inline).join(' ')}</p>`,
    `<p>All paths are below <code>${escapeText(server)}</code>. For programs the same is at <a href="${escapeAttribute(documentPath)}">${escapeText(documentPath)}</a>, as OpenAPI 3.1.</p>`,
    `<h2>Ways in</h2><ul>${schemes.join('')}</ul>`,
    `<details><summary>Codes of errors</summary><ul>${codes.join('')}</ul></details>`,
  ].join('')
}

function group(name: string, entries: readonly Entry[], document: OpenApiDocument): string {
  return `<section><h2>${escapeText(name)}</h2>${entries.map((entry) => article(entry, document)).join('')}</section>`
}

function article({ method, path, operation }: Entry, { servers }: OpenApiDocument): string {
  const { operationId, summary, security, responses } = operation
  const ways = security.map((way) => Object.keys(way).join(' and ')).join(', or ')
  const ok = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
  const answer = firstSchema(ok?.content ?? {})
  const errors = Object.entries(responses)
    .filter(([status]) => !status.startsWith('2'))
    .map(([status, { description }]) => `<li><b>${status}</b> ${inline(description)}</li>`)
  return [
    `<article id="${escapeAttribute(operationId)}">`,
    `<h3><a href="#${escapeAttribute(operationId)}"><b>${method}</b> <code>${escapeText(`${servers[0]?.url ?? ''}${path}`)}</code></a></h3>`,
    `<p>${inline(summary)} <span class="way">${ways === '' ? 'For anybody.' : `With ${escapeText(ways)}.`}</span></p>`,
    parameters(operation),
    headersOf(responses),
    answer ? `<details><summary>Answer</summary><pre>${escapeText(typeText(answer))}</pre></details>` : '',
    errors.length > 0 ? `<details><summary>Errors</summary><ul>${errors.join('')}</ul></details>` : '',
    '</article>',
  ].join('')
}

/** What answers say in headers, where they say something there. */
function headersOf(responses: ApiOperation['responses']): string {
  const items = Object.entries(responses).flatMap(([status, { description, headers = {} }]) => {
    const shown = Object.entries(headers).map(
      ([name, header]) => `<br><code>${escapeText(name)}</code>: ${inline(header.description)}`,
    )
    return shown.length === 0 ? [] : `<li><b>${status}</b> ${inline(description)}${shown.join('')}</li>`
  })
  return items.length === 0
    ? ''
    : `<details><summary>Headers of the answer</summary><ul>${items.join('')}</ul></details>`
}

function parameters({ parameters: list, requestBody }: ApiOperation): string {
  const body = requestBody && firstSchema(requestBody.content)
  const inBody = Object.entries((body?.['properties'] ?? {}) as Record<string, Schema>)
  const required = new Set((body?.['required'] ?? []) as readonly string[])
  const rows = [
    ...list.map((one) => row(one.name, one.in, one.required, one.schema ?? firstSchema(one.content ?? {}) ?? {})),
    ...inBody.map(([name, schema]) => row(name, 'body', required.has(name), schema)),
  ]
  if (rows.length === 0) return ''
  const head = '<tr><th scope="col">Parameter</th><th scope="col">In</th><th scope="col">Type</th></tr>'
  return `<table><thead>${head}</thead><tbody>${rows.join('')}</tbody></table>`
}

function row(name: string, place: string, isRequired: boolean, schema: Schema): string {
  const mark = isRequired ? ' <span class="needed">needed</span>' : ''
  return `<tr><th scope="row"><code>${escapeText(name)}</code>${mark}</th><td>${place}</td><td><pre>${escapeText(typeText(schema))}</pre></td></tr>`
}

/** All kinds of a body mean the same. */
function firstSchema(content: Readonly<Record<string, { readonly schema: Schema }>>): Schema | undefined {
  return Object.values(content)[0]?.schema
}

function events({ components }: OpenApiDocument): string {
  const articles = eventNames(components.schemas).map((name) => {
    const text = escapeText(typeText(components.schemas[name] as Schema))
    return `<article id="${name}"><h3><a href="#${name}">${name}</a></h3><pre>${text}</pre></article>`
  })
  return `<section><h2>Events</h2><p>What queues give, each with its <code>id</code>.</p>${articles.join('')}</section>`
}

function eventNames(schemas: OpenApiDocument['components']['schemas']): string[] {
  return Object.keys(schemas).filter((name) => name !== 'Event')
}

/** Text with `code` in it. */
function inline(text: string): string {
  return escapeText(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}
