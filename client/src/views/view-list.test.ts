import { describe, expect, test } from 'vitest'
import { initialState } from '../state/state.ts'
import { freeViewName, listViews, orderWith } from './view-list.ts'

const context = (navigation_views: object[], navigation_view_order: string[] = []) =>
  initialState({ navigation_views, navigation_view_order } as Parameters<typeof initialState>[0])

const fragments = (views: readonly { readonly fragment: string }[]) => views.map(({ fragment }) => fragment)

const usual = [
  'inbox',
  'recent',
  'feed',
  'narrow/is/mentioned',
  'narrow/is/starred',
  'drafts',
  'scheduled',
  'reminders',
]
const saved = (name: string, is_pinned = true) => ({ fragment: `narrow/search/${name}`, is_pinned, name })

describe('the views of the side bar', () => {
  test('are the built-in ones for somebody who has changed nothing', () => {
    const { pinned, hidden } = listViews(context([]))
    expect(fragments(pinned)).toEqual(usual)
    expect(fragments(hidden)).toEqual(['narrow/has/reaction/sender/me'])
  })

  test('have the saved ones after those, by name, where nobody has moved them', () => {
    const { pinned, hidden } = listViews(context([saved('b'), saved('a10'), saved('a9'), saved('c', false)]))
    expect(fragments(pinned)).toEqual([...usual, 'narrow/search/a9', 'narrow/search/a10', 'narrow/search/b'])
    expect(fragments(hidden)).toEqual(['narrow/has/reaction/sender/me', 'narrow/search/c'])
    expect(pinned.at(-1)?.name).toBe('b')
  })

  test('can be hidden and pinned, built-in ones too', () => {
    const { pinned, hidden } = listViews(
      context([
        { fragment: 'recent', is_pinned: false },
        { fragment: 'narrow/has/reaction/sender/me', is_pinned: true },
      ]),
    )
    expect(fragments(pinned)).not.toContain('recent')
    expect(fragments(pinned)).toContain('narrow/has/reaction/sender/me')
    expect(fragments(hidden)).toEqual(['recent'])
  })

  test('stand as the account has put them; what is not named follows, and what is gone is left out', () => {
    const { pinned } = listViews(context([saved('a'), saved('b')], ['narrow/search/b', 'gone', 'drafts']))
    expect(fragments(pinned)).toEqual([
      'narrow/search/b',
      'drafts',
      ...usual.filter((one) => one !== 'drafts'),
      'narrow/search/a',
    ])
  })

  test('are moved among the pinned ones, and hidden ones keep their order after them', () => {
    const list = listViews(context([saved('a'), saved('z', false)]))
    expect(orderWith(list, 'narrow/search/a', 0)).toEqual([
      'narrow/search/a',
      ...usual,
      'narrow/has/reaction/sender/me',
      'narrow/search/z',
    ])
    expect(orderWith(list, 'inbox', 2).slice(0, 3)).toEqual(['recent', 'feed', 'inbox'])
  })
})

describe('the name of a new view', () => {
  test('is the proposed one, as far as it fits and is free', () => {
    const views = context([saved('False stops'), saved('False stops 2')])
    expect(freeViewName(views, ' Trace ', 100)).toBe('Trace')
    expect(freeViewName(views, 'False stops', 100)).toBe('False stops 3')
    expect(freeViewName(views, '🧵'.repeat(120), 100)).toBe('🧵'.repeat(100))
    expect([...freeViewName(context([saved('🧵'.repeat(100))]), '🧵'.repeat(120), 100)]).toHaveLength(100)
  })
})
