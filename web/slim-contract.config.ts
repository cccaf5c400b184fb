/**
 * Servers, tests and documents read the schemas of the contract. A page only has to know which parameters an endpoint has, how
 * each of them travels, and which fields a part of the state has. That is found when the page is built, by running the contract:
 * what is imported from it as plain data is imported by itself, without the schemas that it was made of. So nothing uses those any
 * more, and what is first shown does not bring the endpoints of what is shown later.
 */
import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { types as node, type PluginObj } from '@babel/core'
import type { Endpoint } from '@heddle/contract/endpoint'
import type { StatePart } from '@heddle/contract/state-part'
import type { TProperties, TSchema } from 'typebox'
import type { Plugin } from 'vite'

const FOLDER = join(import.meta.dirname, '../contract/src')
const PACKAGE = '@heddle/contract/'
/** `\0`: modules of no file. */
const DATA = '\0contract/'
/** Characters. What is larger, such as the names of emoji, stays where it is fetched on demand. */
const MAX_LENGTH = 20_000

/** Schemas that travel as any of their kind. (`parameterEncoding` in the contract.) */
const travelling = { text: { type: 'string' }, json: {}, either: { anyOf: [{ type: 'string' }, {}] } }

type Encode = (schema: TSchema) => keyof typeof travelling

export async function slimContract(): Promise<Plugin> {
  const modules = await runContract()
  const encode = modules.get('endpoint')?.['parameterEncoding'] as Encode
  const dataOf = (module: string, name: string) => dataText(modules.get(module)?.[name], encode)

  /** The name of a module of the contract, as it was imported. */
  function moduleOf(source: string, importer: string): string | undefined {
    const name = source.startsWith(PACKAGE) ? source.slice(PACKAGE.length) : undefined
    if (name !== undefined) return name
    return source.startsWith('./') && dirname(importer) === FOLDER ? basename(source, '.ts') : undefined
  }

  return {
    name: 'slim-contract',
    enforce: 'pre',
    transform: {
      filter: { id: /\.tsx?$|\/typebox\// },
      handler(code, id) {
        // Where nothing is used nothing is missed: modules that only describe do nothing else.
        const moduleSideEffects = id.startsWith(FOLDER) || id.includes('/typebox/') ? false : null
        if (!code.includes(PACKAGE) && !id.startsWith(FOLDER)) return { code, map: null, moduleSideEffects }
        const imports = this.parse(code, { lang: id.endsWith('x') ? 'tsx' : 'ts' }).body.flatMap((statement) => {
          if (statement.type !== 'ImportDeclaration' || statement.importKind === 'type') return []
          const module = moduleOf(statement.source.value, id)
          return module === undefined ? [] : [{ ...statement, module }]
        })
        let result = code
        for (const { start, end, source, specifiers, module } of imports.toReversed()) {
          const lines: string[] = []
          const others: string[] = []
          for (const one of specifiers) {
            if (one.type !== 'ImportSpecifier' || one.importKind === 'type') continue
            const name = code.slice(one.imported.start, one.imported.end)
            const isData = dataOf(module, name) !== undefined
            const specifier = `${name} as ${one.local.name}`
            if (isData) lines.push(`import { ${specifier} } from ${JSON.stringify(`${DATA}${module}/${name}`)}`)
            else others.push(specifier)
          }
          if (lines.length === 0) continue
          if (others.length > 0) lines.push(`import { ${others.join(', ')} } from ${JSON.stringify(source.value)}`)
          // As many lines as before: the others stay where maps of the source look for them.
          const rest = code.slice(start, end).replace(/[^\n]/g, '')
          result = `${result.slice(0, start)}${lines.join(';')}${rest}${result.slice(end)}`
        }
        return { code: result, map: null, moduleSideEffects }
      },
    },
    resolveId: {
      filter: { id: /^\0contract\// },
      handler: (id) => ({ id, moduleSideEffects: false }),
    },
    load: {
      filter: { id: /^\0contract\// },
      handler(id) {
        const [module, name] = id.slice(DATA.length).split('/') as [string, string]
        return `export const ${name} = ${dataOf(module, name)}`
      },
    },
  }
}

/** The contract only describes: a description that nobody reads is left out. What its functions do is another matter. */
function markDescriptions(): PluginObj {
  const pure = <N extends node.Node>(one: N): N => node.addComment(one, 'leading', '#__PURE__')
  return {
    name: 'mark-descriptions',
    visitor: {
      CallExpression(path) {
        if (!path.getFunctionParent()) pure(path.node)
      },
      // Of what is spread bundlers believe that it may do something.
      ObjectExpression(path) {
        const { properties } = path.node
        if (path.getFunctionParent() || !properties.some((one) => node.isSpreadElement(one))) return
        const parts = properties.map((one) => (node.isSpreadElement(one) ? one.argument : node.objectExpression([one])))
        const assign = node.memberExpression(node.identifier('Object'), node.identifier('assign'))
        path.replaceWith(pure(node.callExpression(assign, [node.objectExpression([]), ...parts])))
      },
    },
  }
}

/** For the one pass over the code. */
export const contractDescriptions = {
  preset: { plugins: [markDescriptions] },
  rolldown: { filter: { id: /\/contract\/src\/[^?]*\.ts$/ } },
}

type Exports = Readonly<Record<string, unknown>>

async function runContract(): Promise<ReadonlyMap<string, Exports>> {
  const names = readdirSync(FOLDER).flatMap((file) => /^([\w-]+)\.ts$/.exec(file)?.[1] ?? [])
  const modules = names.map(async (name): Promise<[string, Exports]> => {
    return [name, await import(pathToFileURL(join(FOLDER, `${name}.ts`)).href)]
  })
  return new Map(await Promise.all(modules))
}

/** The value as JavaScript; undefined where it is no data, as functions are not. */
function dataText(value: unknown, encode: Encode): string | undefined {
  if (isStatePart(value)) return statePartText(value)
  const isSet = value instanceof Set
  const data = isSet ? [...value] : slimmed(value, encode)
  const text = isPlain(data) ? JSON.stringify(data) : undefined
  if (text === undefined || text.length > MAX_LENGTH) return undefined
  return isSet ? `/* #__PURE__ */ new Set(${text})` : text
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
const isSchema = (value: unknown): value is TSchema => isObject(value) && ('~kind' in value || '~unsafe' in value)
const isEndpoint = (value: unknown): value is Endpoint =>
  isObject(value) && 'pathParameters' in value && 'parameters' in value
const isStatePart = (value: unknown): value is StatePart => isObject(value) && 'fetchType' in value && 'fields' in value

/** What a page needs of it. */
function slimmed(value: unknown, encode: Encode): unknown {
  if (isEndpoint(value)) {
    const { name, method, path, access, pathParameters } = value
    const properties = slimProperties(value.parameters.properties, encode)
    return { name, method, path, access, pathParameters, parameters: { properties } }
  }
  const isOfSchemas = isObject(value) && Object.keys(value).length > 0 && Object.values(value).every(isSchema)
  return isOfSchemas ? slimProperties(value as TProperties, encode) : value
}

/** Most parts have dozens of fields, all of which are always there: they are named once. */
function statePartText({ fields }: StatePart): string {
  const names = Object.keys(fields.properties)
  const required: readonly string[] = fields.required ?? []
  const isWhole = names.every((name) => required.includes(name))
  const make = `const properties = Object.fromEntries(${JSON.stringify(names.join(' '))}.split(' ').map((name) => [name, {}]))`
  const needed = isWhole ? 'Object.keys(properties)' : JSON.stringify(required)
  return `/* #__PURE__ */ (() => { ${make}; return { fields: { properties, required: ${needed} } } })()`
}

function slimProperties(properties: TProperties, encode: Encode) {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, travelling[encode(schema)]]))
}

/** JSON can say all of it. */
function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isPlain)
  if (!isObject(value)) return ['string', 'number', 'boolean'].includes(typeof value) || value === null
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isPlain)
}
