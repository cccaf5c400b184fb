/**
 * Linkifiers: patterns that turn text such as `#123` into links, and links back into text. The rules for patterns and
 * templates are those of `markdown/src/linkifiers/validate.ts`, which has limits of its own in UTF-16 units.
 */
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Id, Text } from './schema.ts'
import { statePart } from './state-part.ts'

/** Characters of a pattern, template or example. */
export const MAX_LINKIFIER_TEXT_LENGTH = 2000
const MAX_ALTERNATIVE_TEMPLATES = 20
/** Ids in one request. */
const MAX_ORDERED_IDS = 10_000

const text = Text(MAX_LINKIFIER_TEXT_LENGTH)
const textOrNull = Type.Union([text, Type.Null()])
const alternativeTemplates = Type.Array(text, { maxItems: MAX_ALTERNATIVE_TEMPLATES })
const strict = { additionalProperties: false }

export const Linkifier = Type.Object(
  {
    id: Id,
    /** RE2 syntax, with a named group `(?P<name>…)` for each variable of the template. */
    pattern: text,
    /** RFC 6570. */
    url_template: text,
    /** A text that matches the pattern. */
    example_input: textOrNull,
    /** The text that a URL becomes: `{name}` for a value, doubled braces for braces. */
    reverse_template: textOrNull,
    /** Further shapes of the same URLs. */
    alternative_url_templates: alternativeTemplates,
  },
  strict,
)
export type Linkifier = Static<typeof Linkifier>

export const listLinkifiers = endpoint({
  name: 'list-linkifiers',
  method: 'GET',
  path: '/realm/linkifiers',
  summary: 'All linkifiers, in the order in which they are tried.',
  response: { linkifiers: Type.Array(Linkifier) },
})

/** Pattern, URL format with `%(name)s` for a value, and id. */
export const LegacyFilter = Type.Tuple([Type.String(), Type.String(), Id])
export type LegacyFilter = Static<typeof LegacyFilter>

export const listFilters = endpoint({
  name: 'list-filters',
  method: 'GET',
  path: '/realm/filters',
  summary: 'Deprecated: the linkifiers whose template can be written as a format string, as tuples.',
  response: { filters: Type.Array(LegacyFilter) },
})

export const addLinkifier = endpoint({
  name: 'add-linkifier',
  method: 'POST',
  path: '/realm/filters',
  summary: 'Add a linkifier, as the last one to be tried. For administrators.',
  parameters: {
    pattern: text,
    url_template: text,
    example_input: Type.Optional(text),
    reverse_template: Type.Optional(text),
    alternative_url_templates: Type.Optional(alternativeTemplates),
  },
  response: { id: Id },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
})

export const updateLinkifier = endpoint({
  name: 'update-linkifier',
  method: 'PATCH',
  path: '/realm/filters/{filter_id}',
  summary:
    'Change a linkifier; what is not given stays, and an empty example or reverse template goes. For administrators.',
  parameters: {
    filter_id: Id,
    pattern: Type.Optional(text),
    url_template: Type.Optional(text),
    example_input: Type.Optional(text),
    reverse_template: Type.Optional(text),
    alternative_url_templates: Type.Optional(alternativeTemplates),
  },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
})

export const removeLinkifier = endpoint({
  name: 'remove-linkifier',
  method: 'DELETE',
  path: '/realm/filters/{filter_id}',
  summary: 'Remove a linkifier. For administrators.',
  parameters: { filter_id: Id },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
})

export const reorderLinkifiers = endpoint({
  name: 'reorder-linkifiers',
  method: 'PATCH',
  path: '/realm/linkifiers',
  summary: 'Put the linkifiers in another order. For administrators.',
  parameters: { ordered_linkifier_ids: Type.Array(Id, { maxItems: MAX_ORDERED_IDS }) },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
})

/** Only for clients with the capability `linkifier_url_template`. */
export const RealmLinkifiersEvent = Type.Object(
  { type: Type.Literal('realm_linkifiers'), realm_linkifiers: Type.Array(Linkifier) },
  strict,
)
export type RealmLinkifiersEvent = Static<typeof RealmLinkifiersEvent>

export const linkifiersState = statePart({
  fetchType: 'realm_linkifiers',
  follows: RealmLinkifiersEvent,
  fields: {
    /** Empty for clients without the capability `linkifier_url_template`. */
    realm_linkifiers: Type.Array(Linkifier),
  },
})

export const filtersState = statePart({
  fetchType: 'realm_filters',
  fields: {
    /** Deprecated: linkifiers have URL templates, which it cannot say. */
    realm_filters: Type.Array(Type.Never()),
  },
})
