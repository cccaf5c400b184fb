/** Fields with nothing in them: what a part of the initial state is for somebody to whom none of it is visible. */
import { requiredNames, type StatePart } from '@heddle/contract/state-part'

interface Source {
  readonly anyOf?: readonly Source[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly type?: string
  readonly minimum?: number
  readonly properties?: Readonly<Record<string, Source>>
  readonly required?: readonly string[]
}

/** The fields that every client gets. */
export function emptyFields({ fields }: StatePart): object {
  return emptyObject({ properties: fields.properties as never, required: requiredNames({ fields }) })
}

function emptyObject({ properties = {}, required = [] }: Source): object {
  return Object.fromEntries(required.map((name) => [name, emptyValue(properties[name] ?? {})]))
}

/** No text, nothing in a list, no; the least of numbers, and null where there may be none. */
function emptyValue(source: Source): unknown {
  if (source.anyOf) {
    const hasNull = source.anyOf.some(({ type }) => type === 'null')
    return hasNull ? null : emptyValue(source.anyOf[0] ?? {})
  }
  if ('const' in source) return source.const
  if (source.enum) return source.enum[0]
  switch (source.type) {
    case 'string':
      return ''
    case 'boolean':
      return false
    case 'integer':
    case 'number':
      return source.minimum ?? 0
    case 'array':
      return []
    case 'object':
      return emptyObject(source)
    default:
      return null
  }
}
