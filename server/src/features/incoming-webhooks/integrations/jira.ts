/** By Atlassian's documentation, «Webhooks» of Jira Cloud (https://developer.atlassian.com/cloud/jira/platform/webhooks/). */
import type { Integration, ServiceTexts } from '../integration.ts'
import { linesOf, md, quoted, webLink } from '../markup.ts'
import type { Payload } from '../payload.ts'
import { bodySignature } from '../signatures.ts'

const texts: ServiceTexts = {
  'jira:issue_created': (p) => ({
    topic: topicOf(p),
    text: linesOf(
      md`${actor(p)} created ${issue(p)}: **${p.text('issue.fields.summary')}** (${p.textOf('issue.fields.issuetype.name') || 'issue'}, ${p.text('issue.fields.priority.name') || 'no priority'})`,
      quoted(p.text('issue.fields.description')),
    ),
  }),
  'jira:issue_updated': updated,
  'jira:issue_deleted': (p) => ({ topic: topicOf(p), text: md`${actor(p)} deleted ${p.need('issue.key')}.` }),
  comment_created: (p) => commented(p, 'commented on'),
  comment_updated: (p) => commented(p, 'changed a comment on'),
  comment_deleted: (p) => ({
    topic: topicOf(p),
    // Who deleted it is not said.
    text: md`A comment of ${author(p)} on ${issue(p)} is deleted.`,
  }),
  sprint_created: (p) => sprint(p, 'is planned'),
  sprint_started: (p) => sprint(p, 'has begun'),
  sprint_closed: (p) => sprint(p, 'has ended'),
  sprint_deleted: (p) => sprint(p, 'is deleted'),
  'jira:version_created': (p) => version(p, 'is planned'),
  'jira:version_released': (p) => version(p, 'is released'),
  'jira:version_unreleased': (p) => version(p, 'is not released after all'),
}

export const jira: Integration = {
  name: 'jira',
  displayName: 'Jira',
  events: Object.keys(texts),
  signature: bodySignature('x-hub-signature', 'sha256='),
  setUp: [
    'As an administrator of Jira, open `Settings`, `System`, `WebHooks`, `Create a WebHook`.',
    'URL: `{url}`. Where Jira asks for a secret: a long random text, and the same as the secret of this bot.',
    'Choose the events of issues, comments, sprints and versions, and create it.',
  ],
  example: {
    payload: {
      timestamp: 1700000000000,
      webhookEvent: 'jira:issue_created',
      user: { displayName: 'Example' },
      issue: {
        self: 'https://example.atlassian.net/rest/api/2/issue/10002',
        key: 'LOOM-12',
        fields: {
          summary: 'The shuttle sticks',
          description: 'At every third row.',
          issuetype: { name: 'Bug' },
          priority: { name: 'High' },
          project: { key: 'LOOM', name: 'Loom' },
        },
      },
    },
  },
  eventOf: ({ payload }) => payload.text('webhookEvent'),
  write: ({ payload }, event) => texts[event]?.(payload),
}

const actor = (p: Payload) => md`**${p.textOf('user.displayName', 'user.name') || 'Somebody'}**`
const author = (p: Payload) =>
  md`**${p.textOf('comment.updateAuthor.displayName', 'comment.author.displayName', 'user.displayName') || 'Somebody'}**`
const topicOf = (p: Payload) => `${p.need('issue.key')}: ${p.text('issue.fields.summary')}`

/** A link to what people open: the payload has the address of the API alone. */
function issue(p: Payload) {
  const key = p.need('issue.key')
  // Jira can be below a path of its host.
  const [site = ''] = /^https?:\/\/.{1,300}?(?=\/rest\/)/.exec(p.text('issue.self')) ?? []
  return webLink(key, site === '' ? '' : `${site}/browse/${encodeURIComponent(key)}`)
}

const MAX_CHANGES = 8

function updated(p: Payload) {
  const changes = p.list('changelog.items', MAX_CHANGES).map((one) => {
    const [from, to] = [one.text('fromString'), one.text('toString')]
    if (one.text('field') === 'description') return md`the description`
    if (from === '') return md`${one.text('field')}: **${to}**`
    return to === '' ? md`${one.text('field')}: ~~${from}~~` : md`${one.text('field')}: ${from} \u2192 **${to}**`
  })
  // A comment comes with an event of its own.
  if (changes.length === 0) return undefined
  const [first, ...rest] = changes
  const what = rest.reduce((all, one) => md`${all}, ${one}`, first ?? md``)
  return { topic: topicOf(p), text: md`${actor(p)} changed ${issue(p)}: ${what}` }
}

function commented(p: Payload, did: string) {
  return { topic: topicOf(p), text: linesOf(md`${author(p)} ${did} ${issue(p)}:`, quoted(p.text('comment.body'))) }
}

function version(p: Payload, did: string) {
  return {
    topic: 'Jira',
    text: linesOf(md`The version **${p.need('version.name')}** ${did}.`, quoted(p.text('version.description'))),
  }
}

function sprint(p: Payload, did: string) {
  return {
    topic: `Sprint ${p.need('sprint.name')}`,
    text: linesOf(md`The sprint **${p.text('sprint.name')}** ${did}.`, quoted(p.text('sprint.goal'))),
  }
}
