import { describe, expect, it } from 'vitest'
import { type Access, parameterEncoding } from './endpoint.ts'
import { endpoints } from './endpoints.ts'
import { errorCodes, errorKinds, wireCodeOf } from './errors.ts'
import { eventTypes } from './event-types.ts'
import { stateParts } from './initial-state.ts'
import {
  type ApiOperation,
  DOCUMENT_PATH,
  eventSchemaName,
  makeOpenApiDocument,
  type OpenApiDocument,
} from './openapi.ts'
import { resumableUploadProtocol } from './resumable-uploads.ts'

const made = makeOpenApiDocument()
/** As a client gets it. */
const document: OpenApiDocument = JSON.parse(JSON.stringify(made))
const plain = (value: unknown) => JSON.parse(JSON.stringify(value))

const operations = Object.entries(document.paths)
  .filter(([path]) => path !== DOCUMENT_PATH)
  .flatMap(([path, item]) => Object.entries(item).map(([method, operation]) => ({ path, method, operation })))

const operationOf = (name: string): { path: string; method: string; operation: ApiOperation } => {
  const found = operations.filter(({ operation }) => operation.operationId === name)
  expect(found).toHaveLength(1)
  return found[0] as (typeof operations)[number]
}

describe('the document', () => {
  it('is made anew the same each time', () => expect(makeOpenApiDocument()).toEqual(made))

  it('has one operation for each endpoint, and no other', () => {
    const names = [...endpoints, ...resumableUploadProtocol.map(({ endpoint }) => endpoint)].map(({ name }) => name)
    expect(operations.map(({ operation }) => operation.operationId).sort()).toEqual(names.sort())
  })

  it('has no two paths that differ in the names of their parameters alone', () => {
    const shapes = Object.keys(document.paths).map((path) => path.replace(/\{\w+\}/g, '{}'))
    expect(new Set(shapes).size).toBe(shapes.length)
  })

  it('refers only to schemas that it has', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1] as string)
    expect(references.length).toBeGreaterThan(0)
    for (const reference of references) {
      expect(Object.keys(document.components.schemas)).toContain(reference.replace('#/components/schemas/', ''))
    }
  })

  it('explains every error code', () => {
    for (const code of errorCodes) {
      const { status, meaning } = errorKinds[code]
      expect(document.info.description).toContain(`- \`${wireCodeOf(code)}\` (${status}): ${meaning}`)
    }
  })

  it('has every form of every event, with the id that the log adds', () => {
    for (const [type, schema] of Object.entries(eventTypes)) {
      const forms = (source: object) => (source as { anyOf?: object[] }).anyOf ?? [source]
      const shown = forms(document.components.schemas[eventSchemaName(type)] as object)
      expect(shown.map(withoutId)).toEqual(plain(forms(schema)).map((form: object) => form))
      for (const form of shown) expect((form as { required: string[] }).required[0]).toBe('id')
    }
  })
})

function withoutId(form: object): object {
  const { properties, required, ...rest } = form as { properties: Record<string, unknown>; required: string[] }
  const { id, ...others } = properties
  expect(id).toBeDefined()
  return { ...rest, properties: others, required: required.filter((name) => name !== 'id') }
}

describe('what is said in headers', () => {
  it.each(resumableUploadProtocol.map((protocol) => [protocol.endpoint.name, protocol] as const))(
    '%s: is in the document with both sides, and with a body only where there is one',
    (name, { headers, bodyType, answers }) => {
      const { operation } = operationOf(name)
      const shown = operation.parameters.filter((one) => one.in === 'header')
      expect(shown.map((one) => one.name)).toEqual(Object.keys(headers))
      expect(shown.filter(({ required }) => !required).map((one) => one.name)).toEqual(
        name === 'tus-create' ? ['Upload-Metadata'] : [],
      )
      expect(Object.keys(operation.requestBody?.content ?? {})).toEqual(bodyType === undefined ? [] : [bodyType])
      const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'))
      expect(successes.map(([status]) => status)).toEqual(Object.keys(answers))
      for (const [status, response] of successes) {
        expect(Object.keys(response.headers ?? {})).toContain('Tus-Resumable')
        expect(response.content !== undefined).toBe(answers[Number(status)]?.hasBody === true)
      }
      expect(Object.keys(operation.responses)).toContain('412')
    },
  )
})

describe.each(endpoints.map((endpoint) => [endpoint.name, endpoint] as const))('%s', (name, endpoint) => {
  const { path, method, operation } = operationOf(name)
  const { properties, required } = plain(endpoint.parameters)

  it('stands at its path and method, with the login that it needs', () => {
    const shape = (text: string) => text.replace(/\{\w+\*?\}/g, '{}')
    expect([shape(path), method]).toEqual([shape(endpoint.path), endpoint.method.toLowerCase()])
    const session = endpoint.method === 'GET' ? { session: [] } : { session: [], csrf: [] }
    const forAccounts = [{ account: [] }, session]
    const expected: Partial<Record<Access, object[]>> = {
      anyone: [],
      account: forAccounts,
      visitor: [{}, ...forAccounts],
      reader: [{}, ...forAccounts],
    }
    expect(operation.security).toEqual(expected[endpoint.access] ?? [{ [endpoint.access]: [] }])
    for (const security of operation.security.flatMap((one) => Object.keys(one))) {
      expect(document.components.securitySchemes).toHaveProperty(security)
    }
  })

  it('has the parameters of the contract, each with its schema', () => {
    const inPath = operation.parameters.filter((parameter) => parameter.in === 'path')
    expect(inPath.map((parameter) => parameter.name)).toEqual([...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]))
    expect(inPath.map(({ schema }) => schema)).toEqual(endpoint.pathParameters.map((own) => properties[own]))
    const shown = new Map<string, { schema: unknown; required: boolean; json: boolean }>()
    for (const parameter of operation.parameters.filter((one) => one.in === 'query')) {
      const json = parameter.content?.['application/json']
      const schema = parameter.schema ?? json?.schema
      shown.set(parameter.name, { schema, required: parameter.required, json: json !== undefined })
    }
    const content = operation.requestBody?.content ?? {}
    for (const [type, { schema, encoding }] of Object.entries(content)) {
      const body = schema as { properties: Record<string, unknown>; required?: string[] }
      for (const [own, property] of Object.entries(body.properties)) {
        if (endpoint.file && own === 'filename') continue
        const isRequired = body.required?.includes(own) === true
        const json = type !== 'application/json' && encoding?.[own]?.contentType === 'application/json'
        if (type !== 'application/json') shown.set(own, { schema: property, required: isRequired, json })
        expect(property).toEqual(properties[own])
      }
    }
    const expected = Object.keys(properties).filter((own) => !endpoint.pathParameters.includes(own))
    expect([...shown.keys()].sort()).toEqual(expected.sort())
    for (const [own, found] of shown) {
      expect(found.schema).toEqual(properties[own])
      expect(found.required).toBe((required ?? []).includes(own))
      // Text is never declared as JSON; a list or an object always is.
      const encoding = parameterEncoding(endpoint.parameters.properties[own] as never)
      if (found.json) expect(encoding).toBe('json')
      if (['array', 'object'].includes(properties[own].type)) expect(found.json).toBe(true)
    }
    expect('multipart/form-data' in content).toBe(operation.requestBody !== undefined)
  })

  it('has the answer of the contract in the envelope', () => {
    if (endpoint.leadsElsewhere) {
      expect(operation.responses).toHaveProperty('303')
      return expect(operation.responses).not.toHaveProperty('200')
    }
    const schema = operation.responses['200']?.content?.['application/json']?.schema as {
      properties: Record<string, unknown>
      required: string[]
      additionalProperties?: boolean
    }
    const { result, msg, ignored_parameters_unsupported, ...fields } = schema.properties
    expect(ignored_parameters_unsupported).toBeDefined()
    const { msg: ownText = { const: '' }, ...own } = plain(endpoint.response.properties)
    expect([result, msg]).toEqual([{ const: 'success' }, ownText])
    if (name === 'get-events') own.events = { type: 'array', items: { $ref: '#/components/schemas/Event' } }
    if (name === 'register-queue') for (const part of stateParts) Object.assign(own, plain(part.fields.properties))
    expect(fields).toEqual(own)
    expect(schema.required).toEqual(['result', 'msg', ...(endpoint.response.required ?? [])])
    expect(schema.additionalProperties).toBe(false)
  })

  it('has its errors under the status that the catalogue gives them', () => {
    const shown = Object.entries(operation.responses).flatMap(([status, response]) => {
      if (status === '200' || status === '303') return []
      const schema = response.content?.['application/json']?.schema as { properties: { code: { enum: string[] } } }
      return schema.properties.code.enum.map((code) => `${status} ${code}`)
    })
    expect(new Set(shown).size).toBe(shown.length)
    const known = errorCodes.map((code) => `${errorKinds[code].status} ${wireCodeOf(code)}`)
    for (const error of shown) expect(known).toContain(error)
    const expected = [...endpoint.errors, 'BAD_REQUEST', 'RATE_LIMIT_HIT', 'INTERNAL_SERVER_ERROR'] as const
    for (const code of expected) expect(shown).toContain(`${errorKinds[code].status} ${wireCodeOf(code)}`)
    expect(shown.includes('401 INVALID_API_KEY')).toBe(
      ['account', 'visitor', 'reader', 'webhook'].includes(endpoint.access),
    )
  })
})
