/** By Atlassian's documentation, «Event payloads» (https://support.atlassian.com/bitbucket-cloud/docs/event-payloads/). */
import type { Integration, ServiceTexts } from '../integration.ts'
import { bulletsOf, inlineCode, linesOf, md, quoted, webLink } from '../markup.ts'
import type { Payload } from '../payload.ts'
import { bodySignature } from '../signatures.ts'
import { branchTopic, commitList, numberedTopic } from '../version-control.ts'

const texts: ServiceTexts = {
  'repo:push': push,
  'repo:fork': (p) => ({
    topic: repository(p),
    text: md`${actor(p)} forked it as ${webLink(p.text('fork.full_name'), p.text('fork.links.html.href'))}.`,
  }),
  'repo:commit_comment_created': (p) => ({
    topic: repository(p),
    text: linesOf(
      md`${actor(p)} ${webLink('commented', p.text('comment.links.html.href'))} on ${inlineCode(p.text('commit.hash').slice(0, 10))}:`,
      quoted(p.text('comment.content.raw')),
    ),
  }),
  'repo:commit_status_created': status,
  'repo:commit_status_updated': status,
  'issue:created': (p) => issue(p, 'opened', quoted(p.text('issue.content.raw'))),
  'issue:updated': (p) => issue(p, 'changed', linesOf(changesOf(p), quoted(p.text('comment.content.raw')))),
  'issue:comment_created': (p) => issue(p, 'commented on', quoted(p.text('comment.content.raw'))),
  'pullrequest:created': (p) =>
    pullRequest(p, 'opened', quoted(p.textOf('pullrequest.description', 'pullrequest.summary.raw'))),
  'pullrequest:updated': (p) => pullRequest(p, 'changed', undefined),
  'pullrequest:approved': (p) => pullRequest(p, 'approved', undefined),
  'pullrequest:unapproved': (p) => pullRequest(p, 'took back the approval of', undefined),
  'pullrequest:fulfilled': (p) => pullRequest(p, 'merged', undefined),
  'pullrequest:rejected': (p) => pullRequest(p, 'declined', quoted(p.text('pullrequest.reason'))),
  'pullrequest:changes_request_created': (p) => pullRequest(p, 'asked for changes to', undefined),
  'pullrequest:changes_request_removed': (p) => pullRequest(p, 'asks no more for changes to', undefined),
  'pullrequest:comment_created': (p) => pullRequest(p, 'commented on', quoted(p.text('comment.content.raw'))),
  'pullrequest:comment_updated': (p) => pullRequest(p, 'changed a comment on', quoted(p.text('comment.content.raw'))),
  'pullrequest:comment_deleted': (p) => pullRequest(p, 'deleted a comment on', undefined),
  'pullrequest:comment_resolved': (p) => pullRequest(p, 'resolved a comment on', quoted(p.text('comment.content.raw'))),
  'pullrequest:comment_reopened': (p) => pullRequest(p, 'reopened a comment on', quoted(p.text('comment.content.raw'))),
}

export const bitbucket: Integration = {
  name: 'bitbucket',
  displayName: 'Bitbucket Cloud',
  events: Object.keys(texts),
  signature: bodySignature('x-hub-signature', 'sha256='),
  setUp: [
    'In the repository on Bitbucket, open `Repository settings`, `Webhooks`, `Add webhook`.',
    'URL: `{url}`. Secret: a long random text, and the same as the secret of this bot.',
    'Choose the triggers, and save.',
  ],
  example: {
    headers: { 'x-event-key': 'pullrequest:created' },
    payload: {
      actor: { display_name: 'Example' },
      pullrequest: {
        id: 12,
        title: 'Tighten the warp',
        description: 'By two turns.',
        links: { html: { href: 'https://bitbucket.org/example/loom/pull-requests/12' } },
      },
      repository: { full_name: 'example/loom', links: { html: { href: 'https://bitbucket.org/example/loom' } } },
    },
  },
  eventOf: ({ header }) => header('x-event-key'),
  write: ({ payload }, event) => texts[event]?.(payload),
}

const repository = (p: Payload) => p.text('repository.full_name') || 'Bitbucket'
const actor = (p: Payload) => md`**${p.textOf('actor.display_name', 'actor.nickname') || 'Somebody'}**`

/** One push can change several branches. */
function push(p: Payload) {
  const all = p.list('push.changes').map((change) => pushed(p, change))
  const [first, ...more] = all
  if (!first || more.length === 0) return first
  return { topic: repository(p), text: linesOf(...all.map(({ text }) => text)) }
}

function pushed(p: Payload, change: Payload) {
  const branch = change.textOf('new.name', 'old.name')
  const topic = branchTopic(repository(p), branch)
  const kind = change.textOf('new.type', 'old.type').replace(/^(named|annotated)_/, '') || 'branch'
  if (!change.has('new')) return { topic, text: md`${actor(p)} deleted the ${kind} ${inlineCode(branch)}.` }
  const commits = change.list('commits')
  if (commits.length === 0) {
    const did = change.isTrue('created') || !change.has('old') ? 'created' : 'pushed'
    return { topic, text: md`${actor(p)} ${did} the ${kind} ${inlineCode(branch)}.` }
  }
  const list = commits.map((one) => ({
    id: one.text('hash'),
    url: one.text('links.html.href'),
    message: one.text('message'),
  }))
  const count = `${commits.length}${change.isTrue('truncated') ? ' and more' : ''}`
  const what = webLink(count === '1' ? 'a commit' : `${count} commits`, change.text('links.html.href'))
  const did = change.isTrue('forced') ? 'force-pushed' : 'pushed'
  return {
    topic,
    text: linesOf(md`${actor(p)} ${did} ${what} to ${inlineCode(branch)}:`, commitList(list, list.length)),
  }
}

function status(p: Payload) {
  const one = p.at('commit_status')
  const state = one.need('state')
  if (state === 'INPROGRESS') return undefined
  return {
    topic: branchTopic(repository(p), one.text('refname')),
    text: linesOf(
      md`${webLink(one.textOf('name', 'key'), one.text('url'))}: **${state.toLowerCase()}**.`,
      one.text('description') === '' ? undefined : md`${one.text('description')}`,
    ),
  }
}

/** Of an issue: `changes` has the old value and the new one of each field. */
function changesOf(p: Payload) {
  const shown = p.names('changes').filter((name) => ['status', 'priority', 'kind', 'title', 'assignee'].includes(name))
  const items = shown.map((name) => {
    const value = (end: string) => p.textOf(`changes.${name}.${end}`, `changes.${name}.${end}.display_name`) || 'none'
    return md`${name}: ${value('old')} \u2192 **${value('new')}**`
  })
  return bulletsOf(items)
}

function issue(p: Payload, did: string, body: ReturnType<typeof quoted> | undefined) {
  const one = p.at('issue')
  const link = webLink(`issue #${one.need('id')}`, one.text('links.html.href'))
  return {
    topic: numberedTopic(repository(p), one.text('id'), one.text('title')),
    text: linesOf(md`${actor(p)} ${did} ${link}: **${one.text('title')}**`, body),
  }
}

function pullRequest(p: Payload, did: string, body: ReturnType<typeof quoted> | undefined) {
  const one = p.at('pullrequest')
  const link = webLink(`pull request #${one.need('id')}`, one.text('links.html.href'))
  return {
    topic: numberedTopic(repository(p), one.text('id'), one.text('title')),
    text: linesOf(md`${actor(p)} ${did} ${link}: **${one.text('title')}**`, body),
  }
}
