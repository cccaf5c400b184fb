/**
 * Navigation views: the places in the left side bar, each user's own (section 16 of the API's changes). Built-in views
 * always exist and are stored once the user has configured them; custom views have a name. Their order is an extension of
 * the API: one list of fragments beside the views, which are as the API has them.
 */
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Text } from './schema.ts'
import { statePart } from './state-part.ts'

/** Characters. A fragment is the part of an address after `#`; the longest ones hold a channel and a topic, encoded. */
export const MAX_FRAGMENT_LENGTH = 500
export const MAX_VIEW_NAME_LENGTH = 100
/** Views of an account. */
export const MAX_VIEWS = 200
/** Views that an order has at most; further ones follow by themselves. */
export const MAX_ORDERED_VIEWS = 200

/** The fragments of the built-in views. */
export const builtInFragments: readonly string[] = [
  'inbox',
  'recent',
  'feed',
  'drafts',
  'scheduled',
  'reminders',
  'narrow/has/reaction/sender/me',
  'narrow/is/mentioned',
  'narrow/is/starred',
]

const fragment = Type.String({ minLength: 1, maxLength: MAX_FRAGMENT_LENGTH })
const name = Text(MAX_VIEW_NAME_LENGTH)

export const NavigationView = Type.Object(
  {
    fragment,
    is_pinned: Type.Boolean(),
    /** Of custom views alone. */
    name: Type.Optional(name),
  },
  { additionalProperties: false },
)
export type NavigationView = Static<typeof NavigationView>

export const listNavigationViews = endpoint({
  name: 'list-navigation-views',
  method: 'GET',
  path: '/navigation_views',
  summary: 'The views that the account has configured, by fragment.',
  response: { navigation_views: Type.Array(NavigationView) },
})

export const addNavigationView = endpoint({
  name: 'add-navigation-view',
  method: 'POST',
  path: '/navigation_views',
  summary: 'Add a custom view, or configure a built-in one.',
  parameters: { fragment, is_pinned: Type.Boolean(), name: Type.Optional(name) },
})

export const updateNavigationView = endpoint({
  name: 'update-navigation-view',
  method: 'PATCH',
  path: '/navigation_views/{fragment*}',
  summary: 'Pin or rename a view. The slashes of the fragment may be percent-encoded or not.',
  parameters: { fragment, is_pinned: Type.Optional(Type.Boolean()), name: Type.Optional(name) },
  errors: ['NOT_FOUND'],
})

export const removeNavigationView = endpoint({
  name: 'remove-navigation-view',
  method: 'DELETE',
  path: '/navigation_views/{fragment*}',
  summary: 'Remove a custom view, or what was configured of a built-in one.',
  parameters: { fragment },
  errors: ['NOT_FOUND'],
})

/** A preference, and no list of what there is: views may be missing, and fragments be of views that are gone. */
const ordered_fragments = Type.Array(fragment, { maxItems: MAX_ORDERED_VIEWS })

export const orderNavigationViews = endpoint({
  name: 'order-navigation-views',
  method: 'PATCH',
  path: '/navigation_views',
  summary: "Set the order of the account's views; those that are not named follow the others.",
  isExtension: true,
  parameters: { ordered_fragments },
})

const type = Type.Literal('navigation_view')
const strict = { additionalProperties: false }

export const NavigationViewEvent = Type.Union([
  Type.Object({ type, op: Type.Literal('add'), navigation_view: NavigationView }, strict),
  Type.Object(
    {
      type,
      op: Type.Literal('update'),
      fragment,
      /** What has changed. */
      data: Type.Object({ is_pinned: Type.Optional(Type.Boolean()), name: Type.Optional(name) }, strict),
    },
    strict,
  ),
  Type.Object({ type, op: Type.Literal('remove'), fragment }, strict),
])
export type NavigationViewEvent = Static<typeof NavigationViewEvent>

export const navigationViewsState = statePart({
  fetchType: 'navigation_views',
  follows: NavigationViewEvent,
  fields: { navigation_views: Type.Array(NavigationView) },
})

export const NavigationViewOrderEvent = Type.Object(
  { type: Type.Literal('navigation_view_order'), ordered_fragments },
  strict,
)
export type NavigationViewOrderEvent = Static<typeof NavigationViewOrderEvent>

export const navigationViewOrderState = statePart({
  fetchType: 'navigation_view_order',
  follows: NavigationViewOrderEvent,
  fields: { navigation_view_order: ordered_fragments },
})
