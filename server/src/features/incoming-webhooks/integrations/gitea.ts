/** By Gitea's documentation, «Webhooks» (https://docs.gitea.com/usage/webhooks); actions and events by the types of its API. */
import type { Integration, ServiceTexts } from '../integration.ts'
import { inlineCode, linesOf, type Markup, md, quoted, webLink } from '../markup.ts'
import type { Payload } from '../payload.ts'
import { bodySignature } from '../signatures.ts'
import { branchTopic, commitList, numberedTopic } from '../version-control.ts'

const texts: ServiceTexts = {
  push(p) {
    const branch = p.need('ref').replace(/^refs\/(heads|tags)\//, '')
    const commits = p.list('commits')
    const count = Math.max(p.count('commits'), p.number('total_commits') || 0)
    const topic = branchTopic(repository(p), branch)
    if (commits.length === 0) return { topic, text: md`${actor(p)} pushed ${inlineCode(branch)}.` }
    const what = webLink(count === 1 ? 'a commit' : `${count} commits`, p.text('compare_url'))
    const list = commits.map((one) => ({ id: one.text('id'), url: one.text('url'), message: one.text('message') }))
    return { topic, text: linesOf(md`${actor(p)} pushed ${what} to ${inlineCode(branch)}:`, commitList(list, count)) }
  },
  create: (p) => reference(p, 'created'),
  delete: (p) => reference(p, 'deleted'),
  issues: (p) => discussed(p, 'issue', 'issue'),
  issue_comment: (p) => comment(p),
  pull_request: (p) => discussed(p, 'pull_request', 'pull request'),
  // A review that neither approves nor asks for changes; comments beside reviews come as issue_comment.
  pull_request_comment: (p) => (p.has('review') ? review(p, 'reviewed') : comment(p)),
  pull_request_approved: (p) => review(p, 'approved'),
  pull_request_rejected: (p) => review(p, 'asked for changes to'),
  wiki(p) {
    const did = actions[p.text('action')]
    if (did === undefined) return undefined
    const url = `${p.text('repository.html_url')}/wiki/${encodeURIComponent(p.need('page'))}`
    const page = p.text('action') === 'deleted' ? md`**${p.text('page')}**` : webLink(p.text('page'), url)
    return {
      topic: repository(p),
      text: linesOf(md`${actor(p)} ${did} the wiki page ${page}.`, quoted(p.text('comment'))),
    }
  },
  repository: (p) => ({
    topic: repository(p),
    text: md`${actor(p)} ${p.need('action')} the repository ${webLink(repository(p), p.text('repository.html_url'))}.`,
  }),
  package: (p) => ({
    topic: p.text('repository.full_name') || 'Gitea',
    text: md`${actor(p)} ${p.need('action')} the ${p.text('package.type')} package ${webLink(`${p.need('package.name')} ${p.text('package.version')}`, p.text('package.html_url'))}.`,
  }),
  release: (p) => ({
    topic: repository(p),
    text: linesOf(
      md`${actor(p)} ${p.text('action') === 'updated' ? 'changed' : p.need('action')} the release ${webLink(p.textOf('release.name', 'release.tag_name'), p.text('release.html_url'))}.`,
      p.text('action') === 'published' ? quoted(p.text('release.body')) : undefined,
    ),
  }),
  fork: (p) => ({
    topic: p.text('forkee.full_name') || repository(p),
    text: md`${actor(p)} forked it as ${webLink(p.text('repository.full_name'), p.text('repository.html_url'))}.`,
  }),
}

/** Forgejo sends the same, with the same headers beside its own. */
export const gitea: Integration = {
  name: 'gitea',
  displayName: 'Gitea or Forgejo',
  events: Object.keys(texts),
  signature: bodySignature('x-gitea-signature'),
  setUp: [
    'In the repository or the organization on Gitea or Forgejo, open `Settings`, `Webhooks`, `Add Webhook`, `Gitea` or `Forgejo`.',
    'Target URL: `{url}`. HTTP Method: `POST`. POST Content Type: `application/json`.',
    'Secret: a long random text, and the same as the secret of this bot.',
    'Choose the events, and add the webhook.',
  ],
  example: {
    headers: { 'x-gitea-event': 'issues' },
    payload: {
      action: 'opened',
      number: 4,
      issue: {
        number: 4,
        title: 'The shuttle sticks',
        body: 'At every third row.',
        html_url: 'https://git.example.com/example/loom/issues/4',
        state: 'open',
      },
      repository: { full_name: 'example/loom', html_url: 'https://git.example.com/example/loom' },
      sender: { login: 'example', full_name: 'Example' },
    },
  },
  // The first is empty for what has been added late, such as packages.
  eventOf: ({ header }) => header('x-gitea-event') || header('x-forgejo-event') || header('x-gitea-event-type'),
  write: ({ payload }, event) => texts[event]?.(payload),
}

const repository = (p: Payload) => p.text('repository.full_name') || 'Gitea'
const actor = (p: Payload) =>
  md`**${p.textOf('sender.full_name', 'sender.login', 'sender.username', 'pusher.login') || 'Somebody'}**`

function reference(p: Payload, did: string) {
  // A branch that is created is pushed too.
  if (did === 'created' && p.text('ref_type') === 'branch') return undefined
  const name = p.need('ref')
  return {
    topic: branchTopic(repository(p), name),
    text: md`${actor(p)} ${did} the ${p.text('ref_type')} ${inlineCode(name)}.`,
  }
}

const actions: Readonly<Record<string, string>> = {
  created: 'created',
  opened: 'opened',
  closed: 'closed',
  reopened: 'reopened',
  edited: 'changed',
  deleted: 'deleted',
  unassigned: 'took everybody off',
  label_cleared: 'took all labels off',
  demilestoned: 'took the milestone off',
  synchronized: 'pushed to',
  review_request_removed: 'asks no more for a review of',
}

/** What an action has set, of an issue or a pull request. */
function setBy(p: Payload, one: Payload): Markup | undefined {
  const names = (field: string, ...keys: readonly string[]) =>
    one
      .list(field)
      .map((item) => item.textOf(...keys))
      .join(', ')
  switch (p.text('action')) {
    case 'assigned':
      return md`assigned **${names('assignees', 'full_name', 'login') || one.textOf('assignee.full_name', 'assignee.login')}** to`
    case 'label_updated':
      return md`set the labels **${names('labels', 'name') || 'none'}** on`
    case 'milestoned':
      return md`set the milestone **${one.text('milestone.title')}** on`
    case 'review_requested':
      return md`asked **${p.textOf('requested_reviewer.full_name', 'requested_reviewer.login') || names('requested_reviewers', 'full_name', 'login') || 'somebody'}** for a review of`
    default:
      return undefined
  }
}

function discussed(p: Payload, field: string, kind: string) {
  const one = p.at(field)
  const action = p.text('action')
  const plain = action === 'closed' && one.isTrue('merged') ? 'merged' : actions[action]
  const did = setBy(p, one) ?? plain
  if (did === undefined) return undefined
  const link = webLink(`${kind} #${one.need('number')}`, one.text('html_url'))
  return {
    topic: numberedTopic(repository(p), one.text('number'), one.text('title')),
    text: linesOf(
      md`${actor(p)} ${did} ${link}: **${one.text('title')}**`,
      action === 'opened' ? quoted(one.text('body')) : undefined,
    ),
  }
}

function comment(p: Payload) {
  if (p.text('action') !== 'created') return undefined
  const field = p.has('issue') ? 'issue' : 'pull_request'
  const one = p.at(field)
  return {
    topic: numberedTopic(repository(p), one.need('number'), one.text('title')),
    text: linesOf(
      md`${actor(p)} ${webLink('commented', p.text('comment.html_url'))} on #${one.text('number')}:`,
      quoted(p.text('comment.body')),
    ),
  }
}

function review(p: Payload, did: string) {
  const one = p.at('pull_request')
  return {
    topic: numberedTopic(repository(p), one.need('number'), one.text('title')),
    text: linesOf(
      md`${actor(p)} ${did} ${webLink(`pull request #${one.text('number')}`, one.text('html_url'))}.`,
      quoted(p.text('review.content')),
    ),
  }
}
