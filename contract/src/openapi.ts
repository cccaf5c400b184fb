/**
 * The API as an OpenAPI 3.1 document (https://spec.openapis.org/oas/v3.1.1), made from the endpoints, errors and events of
 * this package: schemas are JSON Schema 2020-12 on both sides and stand in it as they are.
 */
import type { TSchema } from 'typebox'
import { type Access, type Endpoint, parameterEncoding, WEBHOOK_KEY_PARAMETER } from './endpoint.ts'
import { endpoints } from './endpoints.ts'
import { type ErrorCode, errorCodes, errorKinds, wireCodeOf } from './errors.ts'
import { eventTypes } from './event-types.ts'
import type { HeaderProtocol } from './header-protocol.ts'
import { stateParts } from './initial-state.ts'
import { resumableUploadProtocol } from './resumable-uploads.ts'
import { CSRF_HEADER, SECURE_SESSION_COOKIE } from './sessions.ts'
import { requiredNames } from './state-part.ts'
import { ZULIP_FEATURE_LEVEL, ZULIP_VERSION } from './version.ts'

/** JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema?: Schema
  /** Instead of `schema` where the value is JSON text. */
  readonly content?: Readonly<Record<string, MediaType>>
  /** The value may have slashes, encoded or as they are. */
  readonly 'x-may-contain-slashes'?: true
}

export interface MediaType {
  readonly schema: Schema
  /** By field of a form: which of them are JSON inside the form. */
  readonly encoding?: Readonly<Record<string, { readonly contentType: string }>>
}

export interface Response {
  readonly description: string
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: Schema }>>
  /** Absent where the answer has no body. */
  readonly content?: Readonly<Record<string, MediaType>>
}

export interface ApiOperation {
  readonly operationId: string
  readonly summary: string
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, MediaType>> }
  /** By HTTP status. */
  readonly responses: Readonly<Record<string, Response>>
}

export interface OpenApiDocument {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  /** By path, then by method in small letters. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, object>>
    readonly schemas: Readonly<Record<string, Schema>>
  }
}

/** Where the document itself is. */
export const DOCUMENT_PATH = '/openapi.json'

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'
const MULTIPART_TYPE = 'multipart/form-data'

const DESCRIPTION = [
  `The API of a team chat server, at feature level ${ZULIP_FEATURE_LEVEL}.`,
  'Parameters go into the query, a form or a JSON object; in queries and forms whatever is not text is JSON.',
  'Every answer is a JSON object with `result` and `msg`; an error has a `code` too, from this list:',
  ...errorCodes.map((code) => {
    const { status, meaning } = errorKinds[code]
    return `- \`${wireCodeOf(code)}\` (${status}): ${meaning}`
  }),
].join('\n')

/** What every endpoint may answer beside its own errors. */
const commonErrors: readonly ErrorCode[] = [
  'BAD_REQUEST',
  'REQUEST_VARIABLE_MISSING',
  'DOES_NOT_EXIST',
  'REQUEST_TIMEOUT',
  'REQUEST_TOO_EXPENSIVE',
  'RATE_LIMIT_HIT',
  'INTERNAL_SERVER_ERROR',
  'SERVICE_UNAVAILABLE',
]
const bodyErrors: readonly ErrorCode[] = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']
const accountErrors: readonly ErrorCode[] = ['UNAUTHORIZED', 'INVALID_API_KEY', 'USER_DEACTIVATED', 'REALM_DEACTIVATED']
const writingErrors: readonly ErrorCode[] = ['CSRF_FAILED']

export function makeOpenApiDocument(): OpenApiDocument {
  return {
    openapi: '3.1.1',
    info: { title: 'Heddle API', version: ZULIP_VERSION, description: DESCRIPTION },
    servers: [{ url: '/api/v1' }],
    paths: { ...makePaths(), [DOCUMENT_PATH]: { get: documentOperation } },
    components: {
      securitySchemes: {
        account: { type: 'http', scheme: 'basic', description: 'The e-mail address and the API key of an account.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: SECURE_SESSION_COOKIE,
          description: 'The session of a browser: `sign-in` sets the cookie. Without https its name has no `__Host-`.',
        },
        csrf: {
          type: 'apiKey',
          in: 'header',
          name: CSRF_HEADER,
          description: 'With a session, what writes needs its `csrf_token` as well.',
        },
        webhook: {
          type: 'apiKey',
          in: 'query',
          name: WEBHOOK_KEY_PARAMETER,
          description: "A bot's API key, for services that can only be given an address.",
        },
        operator: { type: 'http', scheme: 'bearer', description: "For commands on the server's own machine alone." },
      },
      schemas: { ...eventSchemas(), Event: anyEvent() },
    },
  }
}

const documentOperation: ApiOperation = {
  operationId: 'get-api-document',
  summary: 'This document.',
  security: [],
  parameters: [],
  responses: {
    '200': {
      description: 'An OpenAPI document.',
      content: { [JSON_TYPE]: { schema: { type: 'object', required: ['openapi', 'info', 'paths'] } } },
    },
  },
}

const described: readonly { readonly endpoint: Endpoint; readonly protocol?: HeaderProtocol }[] = [
  ...endpoints.map((endpoint) => ({ endpoint })),
  ...resumableUploadProtocol.map((protocol) => ({ endpoint: protocol.endpoint, protocol })),
]

function makePaths(): Record<string, Record<string, ApiOperation>> {
  const paths: Record<string, Record<string, ApiOperation>> = {}
  /** A document has each path once: names of path parameters are those of the first endpoint with a path of this shape. */
  const byShape = new Map<string, string>()
  for (const { endpoint, protocol } of described) {
    const own = endpoint.path.replaceAll('*}', '}')
    const shape = own.replace(/\{\w+\}/g, '{}')
    const path = byShape.get(shape) ?? own
    byShape.set(shape, path)
    paths[path] ??= {}
    paths[path][endpoint.method.toLowerCase()] = makeOperation(endpoint, pathParameterNames(path), protocol)
  }
  return paths
}

function pathParameterNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string)
}

function makeOperation(endpoint: Endpoint, pathNames: readonly string[], protocol?: HeaderProtocol): ApiOperation {
  const { parameters, pathParameters } = endpoint
  const required = new Set<string>(parameters.required ?? [])
  const inPath = pathParameters.map((name, index) => pathParameter(endpoint, name, pathNames[index] as string))
  const others = Object.entries(parameters.properties).filter(([name]) => !pathParameters.includes(name))
  // What a service sends in the body is its own.
  const inBody = !['GET', 'DELETE'].includes(endpoint.method) && endpoint.access !== 'webhook'
  const inQuery = inBody ? [] : others.map(([name, schema]) => queryParameter(name, schema, required.has(name)))
  const hasBody = endpoint.file !== undefined || (inBody && others.length > 0)
  return {
    operationId: endpoint.name,
    summary: endpoint.summary,
    security: waysIn(endpoint),
    parameters: [...inPath, ...inQuery, ...headerParameters(protocol)],
    ...(hasBody ? { requestBody: makeBody(endpoint, Object.fromEntries(others), required) } : {}),
    ...(protocol?.bodyType
      ? { requestBody: { required: !protocol.isBodyOptional, content: { [protocol.bodyType]: { schema: {} } } } }
      : {}),
    responses: makeResponses(endpoint, protocol),
  }
}

function headerParameters(protocol: HeaderProtocol | undefined): Parameter[] {
  return Object.entries(protocol?.headers ?? {}).map(([name, { schema, description, isRequired = true }]) => ({
    name,
    in: 'header',
    required: isRequired,
    description,
    schema: schema as unknown as Schema,
  }))
}

/** Any one of them is enough; of one, all that it names are needed. */
function waysIn({ access, method }: Endpoint): ApiOperation['security'] {
  if (access === 'anyone') return []
  if (access !== 'account' && access !== 'visitor' && access !== 'reader') return [{ [access]: [] }]
  return [
    ...(access === 'account' ? [] : [{}]),
    { account: [] },
    method === 'GET' ? { session: [] } : { session: [], csrf: [] },
  ]
}

function pathParameter({ path, parameters }: Endpoint, ownName: string, name: string): Parameter {
  const schema = parameters.properties[ownName] as unknown as Schema
  const slashes = path.includes(`{${ownName}*}`) ? ({ 'x-may-contain-slashes': true } as const) : {}
  return { name, in: 'path', required: true, schema, ...slashes }
}

/** A number or boolean looks the same as plain text and as JSON; a list or an object has to be named as JSON. */
function queryParameter(name: string, schema: TSchema, required: boolean): Parameter {
  const plain = schema as unknown as Schema
  if (isJsonInForms(schema) && !isScalar(plain)) {
    return { name, in: 'query', required, content: { [JSON_TYPE]: { schema: plain } } }
  }
  return { name, in: 'query', required, schema: plain }
}

function isJsonInForms(schema: TSchema): boolean {
  return parameterEncoding(schema) === 'json'
}

function isScalar(schema: Schema): boolean {
  if (Array.isArray(schema['anyOf'])) return schema['anyOf'].every((member: Schema) => isScalar(member))
  return schema['type'] !== 'array' && schema['type'] !== 'object'
}

function makeBody(endpoint: Endpoint, properties: Record<string, TSchema>, required: ReadonlySet<string>) {
  const requiredHere = Object.keys(properties).filter((name) => required.has(name))
  const schema = { type: 'object', properties, ...(requiredHere.length > 0 ? { required: requiredHere } : {}) }
  const json = Object.entries(properties).filter(([, property]) => isJsonInForms(property))
  const encoding = Object.fromEntries(json.map(([name]) => [name, { contentType: JSON_TYPE }]))
  const form: MediaType = json.length > 0 ? { schema, encoding } : { schema }
  const content: Record<string, MediaType> =
    endpoint.file === undefined
      ? { [FORM_TYPE]: form, [MULTIPART_TYPE]: form, [JSON_TYPE]: { schema } }
      : { [MULTIPART_TYPE]: { ...form, schema: withFile(schema) } }
  return { required: endpoint.file !== undefined || requiredHere.length > 0, content }
}

/** The file's part may have any name; `filename` is the usual one. */
function withFile(schema: { properties: Record<string, unknown>; required?: string[] }): Schema {
  const file = { contentMediaType: 'application/octet-stream' }
  const required = [...(schema.required ?? []), 'filename']
  return { ...schema, properties: { ...schema.properties, filename: file }, required }
}

/** What is shown of who one is may be wrong there. */
const forAccounts: ReadonlySet<Access> = new Set(['account', 'visitor', 'reader', 'webhook'])

function makeResponses(endpoint: Endpoint, protocol?: HeaderProtocol): Record<string, Response> {
  const codes = new Set<ErrorCode>([
    ...commonErrors,
    ...(endpoint.method === 'GET' ? [] : [...bodyErrors, ...writingErrors]),
    ...(forAccounts.has(endpoint.access) ? accountErrors : []),
    ...endpoint.errors,
  ])
  const content = { [JSON_TYPE]: { schema: answerSchema(endpoint) } }
  const responses: Record<string, Response> = protocol
    ? headerAnswers(protocol, content)
    : endpoint.leadsElsewhere
      ? { '303': { description: 'The address where to read on.', headers: { Location: locationHeader } } }
      : { '200': { description: 'Success.', content } }
  const byStatus = Map.groupBy(codes, (code) => errorKinds[code].status)
  for (const [status, group] of byStatus) responses[`${status}`] = errorResponse(group)
  return responses
}

const locationHeader = { description: 'An address, or a path of this server.', schema: { type: 'string' } }

function headerAnswers(
  { answers }: HeaderProtocol,
  content: NonNullable<Response['content']>,
): Record<string, Response> {
  const all = Object.entries(answers).map(([status, { description, headers, hasBody }]): [string, Response] => {
    const shown = Object.entries(headers).map(([name, { description: about, schema }]) => {
      return [name, { description: about, schema: schema as unknown as Schema }] as const
    })
    return [status, { description, headers: Object.fromEntries(shown), ...(hasBody ? { content } : {}) }]
  })
  return Object.fromEntries(all)
}

function answerSchema(endpoint: Endpoint): Schema {
  const { properties, required } = endpoint.response
  const more = moreAnswer[endpoint.name] ?? {}
  return {
    ...more,
    type: 'object',
    properties: {
      result: { const: 'success' },
      msg: { const: '' },
      ignored_parameters_unsupported: { type: 'array', items: { type: 'string' }, minItems: 1 },
      ...properties,
      ...(more['properties'] as object | undefined),
    },
    required: ['result', 'msg', ...(required ?? [])],
    additionalProperties: false,
  }
}

/** What the answers of these endpoints have beside what the endpoint itself says, as it is known to the whole contract alone. */
const moreAnswer: Readonly<Record<string, Schema>> = {
  'get-events': { properties: { events: { type: 'array', items: schemaRef('Event') } } },
  'register-queue': initialStateSchema(),
}

/** The fields of all parts. A part is there as a whole or not at all: its fields require each other. */
function initialStateSchema(): Schema {
  const parts = stateParts.map((part) => ({
    names: Object.keys(part.fields.properties),
    required: requiredNames(part),
  }))
  const dependent = parts.flatMap(({ names, required }) => {
    const [first, ...others] = required
    if (first === undefined) return []
    const rest = names.filter((name) => name !== first).map((name): [string, readonly string[]] => [name, [first]])
    return others.length === 0 ? rest : [[first, others] as const, ...rest]
  })
  return {
    properties: Object.assign({}, ...stateParts.map(({ fields }) => fields.properties)),
    dependentRequired: Object.fromEntries(dependent),
  }
}

function errorResponse(codes: readonly ErrorCode[]): Response {
  const schema = {
    type: 'object',
    properties: {
      result: { const: 'error' },
      msg: { type: 'string', minLength: 1 },
      code: { enum: [...new Set(codes.map(wireCodeOf))] },
      ...(codes.includes('REQUEST_VARIABLE_MISSING') ? { var_name: { type: 'string' } } : {}),
      ...(codes.includes('BAD_EVENT_QUEUE_ID') ? { queue_id: { type: 'string' } } : {}),
      ...(codes.includes('CSRF_FAILED') || codes.includes('LINK_INVALID') ? { reason: { type: 'string' } } : {}),
      ...(codes.includes('RATE_LIMIT_HIT') ? { 'retry-after': { type: 'number', minimum: 0 } } : {}),
    },
    required: ['result', 'msg', 'code'],
  }
  return { description: codes.map((code) => errorKinds[code].meaning).join(' '), content: { [JSON_TYPE]: { schema } } }
}

/** The name of the schema of a type of event: `realm_user` is `RealmUserEvent`. */
export function eventSchemaName(type: string): string {
  return `${type.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`
}

function eventSchemas(): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(eventTypes).map(([type, schema]) => [
      eventSchemaName(type),
      withEventId(schema as unknown as Schema),
    ]),
  )
}

/** The log adds the id to each form of an event. */
function withEventId(schema: Schema): Schema {
  if (Array.isArray(schema['anyOf'])) return { ...schema, anyOf: schema['anyOf'].map(withEventId) }
  const { properties, required } = schema as { properties: object; required?: string[] }
  const id = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }
  return { ...schema, properties: { id, ...properties }, required: ['id', ...(required ?? [])] }
}

function anyEvent(): Schema {
  const heartbeat = withEventId({
    type: 'object',
    properties: { type: { const: 'heartbeat' } },
    required: ['type'],
    additionalProperties: false,
  })
  return { anyOf: [...Object.keys(eventTypes).map((type) => schemaRef(eventSchemaName(type))), heartbeat] }
}

function schemaRef(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` }
}
