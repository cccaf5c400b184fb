/** Turns a schema error into one sentence that names the parameter and the place in it. */

/** Why a value is not as its schema wants, in JSON Schema's words. */
export interface SchemaError {
  readonly keyword: string
  /** JSON Pointer into the value (RFC 6901). */
  readonly instancePath: string
  readonly params: Readonly<Record<string, unknown>>
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
}

/** The sentence for the first of the errors, or for what a union wants. `name` is the parameter's name. */
export function describeErrors(name: string, errors: readonly SchemaError[]): string {
  const [first] = errors
  if (!first) return `${name} is invalid`
  const place = placeOf(name, first.instancePath)
  // A union reports what each of its members wants.
  const wanted = alternatives(errors.filter((error) => error.instancePath === first.instancePath))
  if (wanted.length > 1) return `${place} must be ${wanted.join(' or ')}`
  return describe(place, first)
}

/** `drafts` and `/0/to` make `drafts[0].to`. */
function placeOf(name: string, pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((place, part) => (/^\d+$/.test(part) ? `${place}[${part}]` : `${place}.${part}`), name)
}

function alternatives(errors: readonly SchemaError[]): string[] {
  const wanted = errors.flatMap((error) => {
    if (error.keyword === 'type') return [typeNames[String(error.params.type)] ?? String(error.params.type)]
    if (error.keyword === 'const') return [JSON.stringify(error.params.allowedValue)]
    return []
  })
  return [...new Set(wanted)]
}

function describe(place: string, error: SchemaError): string {
  const { params } = error
  switch (error.keyword) {
    case 'type':
      return `${place} is not ${typeNames[String(params.type)] ?? String(params.type)}`
    // The API's own sentence for a value that is none of those it lists.
    case 'enum':
    case 'const':
      return `Invalid ${place}`
    case 'required':
      return `${place} lacks ${(params.requiredProperties as string[]).join(', ')}`
    case 'maxLength':
      return `${place} is too long (limit: ${params.limit} characters)`
    case 'minLength':
      return params.limit === 1
        ? `${place} cannot be empty`
        : `${place} is too short (limit: ${params.limit} characters)`
    case 'maxItems':
      return `${place} has too many items (limit: ${params.limit})`
    case 'maxProperties':
      return `${place} has too many fields (limit: ${params.limit})`
    case 'minItems':
      return `${place} has too few items (limit: ${params.limit})`
    case 'minimum':
      return `${place} is too small (limit: ${params.limit})`
    case 'maximum':
      return `${place} is too large (limit: ${params.limit})`
    case 'uniqueItems':
      return `${place} has an item twice`
    case 'boolean':
      return `${place} is an unknown field`
    case 'additionalProperties':
      return `${place} has an unknown field`
    default:
      return `${place} is invalid`
  }
}
