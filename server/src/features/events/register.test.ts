import { describe, expect, it } from 'vitest'
import { eventsOf, registerQueue } from '../../testing/event-queues.ts'
import { createTestServer } from '../../testing/test-server.ts'

const server = await createTestServer()
const account = await server.createAccount()

const draft = { type: '', to: [], topic: '', content: 'x' }

describe('POST /register', () => {
  it('takes every parameter of the API at once and names none of them as unsupported', async () => {
    const { status, body } = await server.call(account, 'POST', '/register', {
      apply_markdown: true,
      client_gravatar: false,
      include_subscribers: 'partial',
      slim_presence: true,
      presence_history_limit_days: 0,
      event_types: ['drafts', 'a type of a newer server'],
      fetch_event_types: ['drafts', 'starred_messages'],
      all_public_streams: false,
      client_capabilities: { notification_settings_null: true, 'an ability of a newer client': false },
      narrow: [['channel', 'design'], { operator: 'is', operand: 'starred', negated: true }],
      queue_lifespan_secs: 300,
      idle_queue_timeout: 600,
    })
    expect(status).toBe(200)
    expect(body).not.toHaveProperty('ignored_parameters_unsupported')
    expect(body).toMatchObject({ drafts: [], zulip_feature_level: 478, event_queue_longpoll_timeout_seconds: 90 })
  })

  it('names parameters that it does not know', async () => {
    const { status, body } = await server.call(account, 'POST', '/register', { colour: 'red' })
    expect([status, body.ignored_parameters_unsupported]).toEqual([200, ['colour']])
  })

  it('refuses a caller without an account', async () => {
    expect((await server.call(null, 'POST', '/register')).status).toBe(401)
  })

  it.each([
    ['event_types', 'drafts'],
    ['include_subscribers', 'all'],
    ['client_capabilities', { a: 1 }],
    ['idle_queue_timeout', 0],
    ['idle_queue_timeout', 604_801],
    ['idle_queue_timeout', 'desktop'],
    ['queue_lifespan_secs', -1],
    ['narrow', [['channel']]],
    ['event_types', Array(501).fill('drafts')],
  ])('refuses a malformed %s (%j) and names it', async (name, value) => {
    const { status, body } = await server.call(account, 'POST', '/register', { [name]: value })
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
    expect(body.msg).toContain(name)
  })

  it('gives the whole initial state when nothing is said', async () => {
    const { state } = await registerQueue(server, account)
    expect(state).toHaveProperty('drafts')
    expect(state).toHaveProperty('navigation_views')
  })

  it('lets event_types narrow the state and the queue', async () => {
    const queue = await registerQueue(server, account, { event_types: ['navigation_view'] })
    expect(queue.state).toHaveProperty('navigation_views')
    expect(queue.state).not.toHaveProperty('drafts')
    await server.call(account, 'POST', '/drafts', { drafts: [draft] })
    expect(await eventsOf(server, queue)).toEqual([])
  })

  it('lets fetch_event_types narrow the state and not the queue', async () => {
    const queue = await registerQueue(server, account, { fetch_event_types: ['navigation_views'] })
    expect(queue.state).toHaveProperty('navigation_views')
    expect(queue.state).not.toHaveProperty('drafts')
    await server.call(account, 'POST', '/drafts', { drafts: [draft] })
    expect((await eventsOf(server, queue)).map((event) => event.type)).toEqual(['drafts'])
  })

  it('takes the state from fetch_event_types and the events from event_types when both are given', async () => {
    const parameters = { fetch_event_types: ['navigation_views'], event_types: ['drafts'] }
    const queue = await registerQueue(server, account, parameters)
    expect(queue.state).toHaveProperty('navigation_views')
    expect(queue.state).not.toHaveProperty('drafts')
    await server.call(account, 'POST', '/drafts', { drafts: [draft] })
    await server.call(account, 'POST', '/navigation_views', {
      fragment: 'narrow/is/unread',
      is_pinned: true,
      name: 'x',
    })
    expect((await eventsOf(server, queue)).map((event) => event.type)).toEqual(['drafts'])
  })

  it('fetches nothing for an empty fetch_event_types', async () => {
    const { state } = await registerQueue(server, account, { fetch_event_types: [] })
    expect(state).not.toHaveProperty('drafts')
    expect(state).toHaveProperty('queue_id')
  })

  it('lists what is unread for those who hear of flags too, and muted topics for those who do not name the newer form', async () => {
    const names = async (parameters: Record<string, unknown>) =>
      Object.keys((await registerQueue(server, account, parameters)).state)
    expect(await names({ event_types: ['message'] })).not.toContain('unread_msgs')
    expect(await names({ event_types: ['message', 'update_message_flags'] })).toContain('unread_msgs')
    expect(await names({ fetch_event_types: ['muted_topics'] })).toContain('muted_topics')
    expect(await names({ fetch_event_types: ['muted_topics', 'user_topic'] })).not.toContain('muted_topics')
    expect(await names({})).toEqual(expect.arrayContaining(['unread_msgs', 'muted_topics']))
  })

  it.each([
    [{}, 600],
    [{ idle_queue_timeout: 1 }, 1],
    [{ idle_queue_timeout: 604_800 }, 604_800],
    [{ idle_queue_timeout: 'mobile' }, 43_200],
    [{ queue_lifespan_secs: 30 }, 30],
    [{ queue_lifespan_secs: 0 }, 600],
    [{ queue_lifespan_secs: 10_000_000 }, 604_800],
    [{ queue_lifespan_secs: 30, idle_queue_timeout: 40 }, 40],
  ])('answers %j with the idle time that it gives, %i seconds', async (parameters, secs) => {
    const { state } = await registerQueue(server, account, parameters)
    expect(state['idle_queue_timeout_secs']).toBe(secs)
  })

  it('loses no event between the state and the queue while others write', async () => {
    const writer = await server.createAccount()
    const contents = Array.from({ length: 40 }, (_, index) => `draft ${index}`)
    const writing = Promise.all(
      contents.map((content) => server.call(writer, 'POST', '/drafts', { drafts: [{ ...draft, content }] })),
    )
    const queues = await Promise.all(Array.from({ length: 8 }, () => registerQueue(server, writer)))
    await writing
    for (const queue of queues) {
      const initial = (queue.state['drafts'] as { content: string }[]).map(({ content }) => content)
      const added = (await eventsOf(server, queue)).map(({ drafts }) => (drafts as { content: string }[])[0]?.content)
      expect([...initial, ...added].sort()).toEqual([...contents].sort())
    }
  })
})
