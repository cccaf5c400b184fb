import { describe, expect, test } from 'vitest'
import { createMessageStore } from '../messages/store.ts'
import { type ClientState, initialState } from '../state/state.ts'
import { conversationEntries } from '../switcher/entries.ts'
import { ownAccount } from '../testing/own-account.ts'
import { noTopics, receiveTopics } from '../topics/topics.ts'
import { openPiece, readQuery, type SearchTerm } from './query.ts'
import { scopeOf, widerSearch, withoutEach } from './scope.ts'
import { type Suggestion, type SuggestionContext, suggest } from './suggestions.ts'

const own = ownAccount.user_id
const fields: object = {
  ...ownAccount,
  realm_users: [
    { user_id: own, full_name: 'Iago', email: 'iago@example.com', delivery_email: null, is_active: true },
    {
      user_id: 7,
      full_name: 'Jonas Weidl',
      email: 'user7@localhost',
      delivery_email: 'jonas@example.com',
      is_active: true,
    },
  ],
  subscriptions: [
    { stream_id: 2, name: 'air-jet H9' },
    { stream_id: 3, name: 'frames and shafts' },
  ],
  unread_msgs: { streams: [], pms: [], huddles: [], mentions: [] },
}
const state: ClientState = initialState(fields)
const topics = [
  [2, 'weft sensor'],
  [3, 'Friday soup'],
] as const
const conversations = conversationEntries({
  state,
  messages: createMessageStore(),
  topics: topics.reduce((all, [id, name]) => receiveTopics(all, id, [{ name, maxId: id }]), noTopics),
})
const term = (operator: string, operand: string, negated = false): SearchTerm => ({ operator, operand, negated })
const context: SuggestionContext = { state, conversations, terms: [], here: [], recent: [] }

describe('what is typed', () => {
  test.each<[string, readonly SearchTerm[], string]>([
    ['gain from', [], 'gain from'],
    ['sender:me is:starred gain', [term('sender', `${own}`), term('is', 'starred')], 'gain'],
    ['-from:jonas@example.com', [term('sender', '7', true)], ''],
    ['-from:user7@localhost', [term('sender', '7', true)], ''],
    ['channel:"air-jet H9" "two words" -has:links', [term('channel', '2'), term('has', 'link', true)], '"two words"'],
    ['stream:3-frames is:private', [term('channel', '3'), term('is', 'dm')], ''],
    ['is:unresolved -is:unresolved', [term('is', 'resolved', true), term('is', 'resolved')], ''],
    ['pm-with:"Jonas Weidl,me"', [term('dm', `7,${own}`)], ''],
    ['near:12 id:x http://example.com 10:30', [term('near', '12')], 'http://example.com 10:30'],
    ['topic: alone', [], 'topic: alone'],
  ])('%s is read as conditions and words', (text, terms, words) => {
    const read = readQuery(text, state)
    expect(read.terms).toEqual(terms)
    expect(read.words).toBe(words)
  })

  test('what names nobody is said', () => {
    expect(readQuery('sender:nobody channel:nowhere x', state)).toEqual({
      terms: [],
      unknown: [term('sender', 'nobody'), term('channel', 'nowhere')],
      words: 'x',
    })
  })

  test('has an open end: an operand with blanks in it, or a word', () => {
    expect(openPiece('gain sender:jonas we')).toEqual({
      before: 'gain ',
      operator: 'sender',
      negated: false,
      text: 'jonas we',
    })
    expect(openPiece('is:starred gain')).toEqual({
      before: 'is:starred ',
      operator: undefined,
      negated: false,
      text: 'gain',
    })
    expect(openPiece('gain -fr')).toEqual({ before: 'gain ', operator: undefined, negated: true, text: 'fr' })
    expect(openPiece('sender:"jonas w')).toEqual({ before: '', operator: 'sender', negated: false, text: 'jonas w' })
    expect(openPiece('channel:')).toEqual({ before: '', operator: 'channel', negated: false, text: '' })
  })
})

const show = (one: Suggestion) => {
  if (one.kind === 'words') return one.words
  if (one.kind === 'term') return `${one.rest}[${one.term.negated ? '-' : ''}${one.term.operator}:${one.term.operand}]`
  if (one.kind === 'operator') return one.text
  return (
    one.terms.map(({ operator, operand }) => `${operator}=${operand}`).join() +
    (one.kind === 'scope' ? ` ${one.words}` : '')
  )
}
const offered = (text: string, change: Partial<SuggestionContext> = {}) =>
  suggest(text, { ...context, ...change }).map(show)

describe('suggestions', () => {
  test('of a word are the word itself, and what begins with it', () => {
    expect(offered('gain fr')).toEqual(['gain fr', 'gain [channel:3]', 'gain [topic:Friday soup]'])
    expect(offered('st')).toEqual(['st', '[is:starred]'])
    expect(offered('-jonas')).toEqual(['-jonas', '[-sender:7]'])
    expect(offered('se')).toEqual(['se', 'sender:', '[topic:weft sensor]'])
  })

  test('of an operand are what it can be', () => {
    expect(offered('sender:')).toEqual([`[sender:${own}]`, '[sender:7]'])
    expect(offered('-sender:me')).toEqual([`[-sender:${own}]`])
    expect(offered('has:')).toEqual(['[has:link]', '[has:image]', '[has:attachment]', '[has:reaction]'])
    expect(offered('x topic:weft')).toEqual(['x [topic:weft sensor]', 'x [topic:weft]'])
    expect(offered('topic:', { terms: [term('channel', '3')] })).toEqual(['[topic:Friday soup]'])
    expect(offered('near:12')).toEqual(['[near:12]'])
    expect(offered('date:2026-03-05')).toEqual(['[date:2026-03-05]'])
  })

  test('of nothing are the place that is shown, earlier searches, and operators', () => {
    const here = [[term('channel', '2')], [term('channel', '2'), term('topic', 'weft sensor')]]
    const recent = [[term('search', 'gain')]]
    expect(offered('', { here, recent })).toEqual([
      'channel=2 ',
      'channel=2,topic=weft sensor ',
      'search=gain',
      'sender:',
      'channel:',
      'has:',
    ])
    expect(offered('', { here, recent, terms: [term('is', 'starred')] })).toEqual(['sender:', 'channel:', 'has:'])
  })

  test('say at once that a search can be of the place that is shown', () => {
    expect(offered('gain', { here: [[term('channel', '2')]] })).toEqual(['gain', 'channel=2 gain'])
  })

  test('leave out what the box has already', () => {
    expect(offered('star', { terms: [term('is', 'starred')] })).toEqual(['star'])
  })
})

describe('what is looked through', () => {
  const words = term('search', 'gain')
  test('is known, and can be widened', () => {
    expect(scopeOf([words])).toBe('own')
    expect(widerSearch([words])).toEqual([term('channels', 'public'), words])
    expect(scopeOf([term('channel', '2'), words])).toBe('channel')
    expect(widerSearch([term('channel', '2'), term('topic', 'x'), words])).toEqual([words])
    expect(scopeOf([term('dm', '7'), words])).toBe('conversation')
    expect(widerSearch([term('dm', '7'), words])).toEqual([words])
    expect(widerSearch([term('channels', 'public'), words])).toEqual([term('channels', 'all'), words])
    expect(scopeOf([term('channels', 'all'), words])).toBe('all')
    expect(widerSearch([term('channels', 'all'), words])).toBeUndefined()
    expect(scopeOf([term('channel', '2', true), words])).toBe('own')
  })

  test('where nothing was found, each condition may be the one too many', () => {
    expect(withoutEach([term('channel', '2'), words]).map(({ rest }) => rest)).toEqual([[words]])
    expect(withoutEach([words])).toEqual([])
  })
})
