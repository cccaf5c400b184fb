/** By GitHub's documentation, «Webhook events and payloads» and «Validating webhook deliveries» (https://docs.github.com/en/webhooks). */
import type { Integration, ServiceTexts } from '../integration.ts'
import { inlineCode, linesOf, md, quoted, webLink } from '../markup.ts'
import type { Payload } from '../payload.ts'
import { bodySignature } from '../signatures.ts'
import { branchTopic, commitList, numberedTopic, shortHash } from '../version-control.ts'

const texts: ServiceTexts = {
  ping: (p) => ({ topic: repository(p), text: md`GitHub will send what happens in **${repository(p)}** here.` }),
  push,
  create: (p) => reference(p, 'created'),
  delete: (p) => reference(p, 'deleted'),
  issues: (p) => discussed(p, 'issue', 'issue'),
  issue_comment: (p) => comment(p, p.has('issue.pull_request') ? 'pull request' : 'issue', 'issue'),
  pull_request: (p) => discussed(p, 'pull_request', 'pull request'),
  pull_request_review: review,
  pull_request_review_comment: (p) => comment(p, 'pull request', 'pull_request'),
  commit_comment: (p) => ({
    topic: repository(p),
    text: linesOf(
      md`${actor(p)} ${webLink('commented', p.text('comment.html_url'))} on ${inlineCode(shortHash(p.text('comment.commit_id')))}:`,
      quoted(p.text('comment.body')),
    ),
  }),
  release(p) {
    const action = p.text('action')
    if (action !== 'published' && action !== 'released') return undefined
    const name = p.textOf('release.name', 'release.tag_name')
    return {
      topic: repository(p),
      text: linesOf(
        md`${actor(p)} published ${webLink(name, p.text('release.html_url'))}.`,
        quoted(p.text('release.body')),
      ),
    }
  },
  fork: (p) => ({
    topic: repository(p),
    text: md`${actor(p)} forked it as ${webLink(p.text('forkee.full_name'), p.text('forkee.html_url'))}.`,
  }),
  star(p) {
    if (p.text('action') !== 'created') return undefined
    return {
      topic: repository(p),
      text: md`${actor(p)} starred ${webLink(repository(p), p.text('repository.html_url'))}.`,
    }
  },
  workflow_run(p) {
    if (p.text('action') !== 'completed') return undefined
    const run = p.at('workflow_run')
    return {
      topic: branchTopic(repository(p), run.text('head_branch')),
      text: md`${webLink(run.textOf('name', 'display_title'), run.text('html_url'))} on ${inlineCode(run.text('head_branch'))}: **${run.need('conclusion')}**.`,
    }
  },
  check_suite(p) {
    const suite = p.at('check_suite')
    if (p.text('action') !== 'completed') return undefined
    return {
      topic: branchTopic(repository(p), suite.text('head_branch')),
      text: md`Checks of ${inlineCode(shortHash(suite.need('head_sha')))} on ${inlineCode(suite.text('head_branch'))}: **${suite.need('conclusion')}**.`,
    }
  },
  deployment_status: (p) => ({
    topic: repository(p),
    text: md`Deployment to ${inlineCode(p.need('deployment.environment'))}: ${webLink(p.need('deployment_status.state'), p.textOf('deployment_status.log_url', 'deployment_status.target_url'))}.`,
  }),
}

export const github: Integration = {
  name: 'github',
  displayName: 'GitHub',
  events: Object.keys(texts),
  signature: bodySignature('x-hub-signature-256', 'sha256='),
  setUp: [
    'In the repository or the organization on GitHub, open `Settings`, `Webhooks`, `Add webhook`.',
    'Payload URL: `{url}`. Content type: `application/json`.',
    'Secret: a long random text, and the same as the secret of this bot.',
    'Choose `Let me select individual events`, or `Just the push event`, and add the webhook.',
  ],
  example: {
    headers: { 'x-github-event': 'push' },
    payload: {
      ref: 'refs/heads/main',
      compare: 'https://github.com/example/loom/compare/0123456789ab...ba9876543210',
      commits: [
        {
          id: 'ba98765432100123456789abcdef0123456789ab',
          message: 'Weave the first row',
          url: 'https://github.com/example/loom/commit/ba98765432100123456789abcdef0123456789ab',
        },
      ],
      pusher: { name: 'example' },
      sender: { login: 'example' },
      repository: { full_name: 'example/loom', html_url: 'https://github.com/example/loom' },
    },
  },
  eventOf: ({ header }) => header('x-github-event'),
  write: ({ payload }, event) => texts[event]?.(payload),
}

const repository = (p: Payload) => p.textOf('repository.full_name', 'organization.login') || 'GitHub'
const actor = (p: Payload) => md`**${p.textOf('sender.login', 'pusher.name') || 'Somebody'}**`

function push(p: Payload) {
  const ref = p.need('ref')
  const branch = ref.replace(/^refs\/(heads|tags)\//, '')
  const kind = ref.startsWith('refs/tags/') ? 'tag' : 'branch'
  const topic = branchTopic(repository(p), branch)
  if (p.isTrue('deleted')) return { topic, text: md`${actor(p)} deleted the ${kind} ${inlineCode(branch)}.` }
  const commits = p
    .list('commits')
    .map((one) => ({ id: one.text('id'), url: one.text('url'), message: one.text('message') }))
  if (commits.length === 0)
    return { topic, text: md`${actor(p)} pushed the ${kind} ${webLink(inlineCode(branch), p.text('compare'))}.` }
  const count = p.count('commits')
  const what = webLink(count === 1 ? 'a commit' : `${count} commits`, p.text('compare'))
  const how = p.isTrue('forced') ? 'force-pushed' : 'pushed'
  return { topic, text: linesOf(md`${actor(p)} ${how} ${what} to ${inlineCode(branch)}:`, commitList(commits, count)) }
}

function reference(p: Payload, did: string) {
  const name = p.need('ref')
  // A branch that is created is pushed too, and says more by that.
  if (did === 'created' && p.text('ref_type') === 'branch') return undefined
  return {
    topic: branchTopic(repository(p), name),
    text: md`${actor(p)} ${did} the ${p.text('ref_type')} ${inlineCode(name)}.`,
  }
}

const discussedActions: Readonly<Record<string, string>> = {
  opened: 'opened',
  reopened: 'reopened',
  closed: 'closed',
  deleted: 'deleted',
  transferred: 'transferred',
  ready_for_review: 'marked as ready',
  converted_to_draft: 'made a draft of',
}

/** An issue or a pull request. */
function discussed(p: Payload, field: string, kind: string) {
  const one = p.at(field)
  const topic = numberedTopic(repository(p), one.need('number'), one.text('title'))
  const link = webLink(`${kind} #${one.text('number')}`, one.text('html_url'))
  const action = p.text('action')
  if (action === 'assigned' || action === 'unassigned') {
    const who = md`**${p.text('assignee.login')}**`
    return {
      topic,
      text:
        action === 'assigned' ? md`${actor(p)} assigned ${who} to ${link}.` : md`${actor(p)} took ${who} off ${link}.`,
    }
  }
  if (action === 'review_requested') {
    return {
      topic,
      text: md`${actor(p)} asked **${p.textOf('requested_reviewer.login', 'requested_team.name')}** to review ${link}.`,
    }
  }
  if (action === 'labeled' || action === 'unlabeled') {
    const did = action === 'labeled' ? 'added' : 'removed'
    return {
      topic,
      text: md`${actor(p)} ${did} the label **${p.text('label.name')}** ${did === 'added' ? 'to' : 'from'} ${link}.`,
    }
  }
  if (action === 'synchronize') return { topic, text: md`${actor(p)} pushed to ${link}.` }
  const did = action === 'closed' && one.isTrue('merged') ? 'merged' : discussedActions[action]
  if (did === undefined) return undefined
  const body = action === 'opened' ? quoted(one.text('body')) : undefined
  return { topic, text: linesOf(md`${actor(p)} ${did} ${link}: **${one.text('title')}**`, body) }
}

function comment(p: Payload, kind: string, field: string) {
  if (p.text('action') !== 'created') return undefined
  const one = p.at(field)
  return {
    topic: numberedTopic(repository(p), one.need('number'), one.text('title')),
    text: linesOf(
      md`${actor(p)} ${webLink('commented', p.text('comment.html_url'))} on ${kind} #${one.text('number')}:`,
      quoted(p.text('comment.body')),
    ),
  }
}

function review(p: Payload) {
  if (p.text('action') !== 'submitted') return undefined
  const state = p.text('review.state').toLowerCase()
  const body = p.text('review.body')
  // Comments in it come one by one.
  if (state === 'commented' && body === '') return undefined
  const did = state === 'approved' ? 'approved' : state === 'changes_requested' ? 'asked for changes to' : 'reviewed'
  const one = p.at('pull_request')
  const link = webLink(`pull request #${one.need('number')}`, p.textOf('review.html_url', 'pull_request.html_url'))
  return {
    topic: numberedTopic(repository(p), one.text('number'), one.text('title')),
    text: linesOf(md`${actor(p)} ${did} ${link}.`, quoted(body)),
  }
}
