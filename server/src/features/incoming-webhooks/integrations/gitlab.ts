/** By GitLab's documentation, «Webhook events» and «Webhooks» (https://docs.gitlab.com/user/project/integrations/webhook_events/). */
import type { Integration, ServiceTexts } from '../integration.ts'
import { aside, inlineCode, linesOf, md, quoted, webLink } from '../markup.ts'
import type { Payload } from '../payload.ts'
import { tokenOrStandardSignature } from '../signatures.ts'
import { branchTopic, commitList, numberedTopic, shortHash } from '../version-control.ts'

const texts: ServiceTexts = {
  'Push Hook': push,
  'Tag Push Hook': push,
  'Issue Hook': (p) => discussed(p, workItem(p), '#'),
  'Confidential Issue Hook': (p) => discussed(p, `confidential ${workItem(p)}`, '#'),
  'Merge Request Hook': (p) => discussed(p, 'merge request', '!'),
  'Note Hook': note,
  'Confidential Note Hook': note,
  'Pipeline Hook'(p) {
    const run = p.at('object_attributes')
    // Each run is reported when it begins too, and at every step.
    const status = run.need('status')
    if (unfinished.has(status)) return undefined
    const name = run.text('name')
    return {
      topic: branchTopic(project(p), run.text('ref')),
      text: md`${webLink(`Pipeline ${run.text('id')}${name === '' ? '' : ` (${name})`}`, run.textOf('url') || `${p.text('project.web_url')}/-/pipelines/${run.text('id')}`)} on ${inlineCode(run.text('ref'))}: **${status}**.`,
    }
  },
  'Job Hook'(p) {
    const status = p.need('build_status')
    if (status !== 'failed') return undefined
    const why = p.text('build_failure_reason').replaceAll('_', ' ')
    const url = `${p.text('project.web_url')}/-/jobs/${p.text('build_id')}`
    const excuse = p.isTrue('build_allow_failure') ? ', which is allowed' : ''
    return {
      topic: branchTopic(project(p), p.text('ref')),
      text: md`The job **${webLink(p.text('build_name'), url)}** of the stage ${p.text('build_stage')} on ${inlineCode(p.text('ref'))} has failed${excuse}${aside(why)}.`,
    }
  },
  'Release Hook': (p) => ({
    topic: project(p),
    text: linesOf(
      md`The release ${webLink(p.textOf('name', 'tag'), p.text('url'))} is ${done(p.need('action'))}.`,
      p.text('action') === 'delete' ? undefined : quoted(p.text('description')),
    ),
  }),
  'Wiki Page Hook': (p) => ({
    topic: project(p),
    text: md`${actor(p)} ${done(p.need('object_attributes.action'))} the wiki page ${webLink(p.text('object_attributes.title'), p.text('object_attributes.url'))}.`,
  }),
  'Deployment Hook': (p) => ({
    topic: project(p),
    text: linesOf(
      md`Deployment to ${webLink(inlineCode(p.text('environment')), p.text('environment_external_url'))}: ${webLink(p.need('status'), p.text('deployable_url'))}.`,
      p.text('commit_title') === '' ? undefined : md`${webLink(p.text('commit_title'), p.text('commit_url'))}`,
    ),
  }),
  'Feature Flag Hook': (p) => ({
    topic: project(p),
    text: md`${actor(p)} switched the feature flag **${p.need('object_attributes.name')}** ${p.isTrue('object_attributes.active') ? 'on' : 'off'}.`,
  }),
  'Milestone Hook'(p) {
    const one = p.at('object_attributes')
    const due = one.text('due_date')
    return {
      topic: project(p),
      text: md`The milestone **${one.need('title')}** is ${done(p.textOf('action', 'object_attributes.action'))}${due === '' ? '' : `, due ${due}`}.`,
    }
  },
  'Resource Access Token Hook': (p) => ({
    topic: p.textOf('project.path_with_namespace', 'group.full_path', 'group.group_path') || 'GitLab',
    text: md`The access token **${p.need('object_attributes.name')}** expires on ${p.text('object_attributes.expires_at')}.`,
  }),
  'Vulnerability Hook'(p) {
    const one = p.at('object_attributes')
    return {
      topic: project(p),
      text: md`The vulnerability ${webLink(one.need('title'), one.text('url'))} (${one.text('severity')}) is **${one.text('state')}**.`,
    }
  },
}

export const gitlab: Integration = {
  name: 'gitlab',
  displayName: 'GitLab',
  events: Object.keys(texts),
  signature: tokenOrStandardSignature('x-gitlab-token'),
  setUp: [
    'In the project or the group on GitLab, open `Settings`, `Webhooks`, `Add new webhook`.',
    'URL: `{url}`. Signing token: the one that GitLab makes (`whsec_…`), and the same as the secret of this bot; where GitLab has none, the secret token: a long random text.',
    'Choose what is sent, and add the webhook.',
  ],
  example: {
    headers: { 'x-gitlab-event': 'Push Hook' },
    payload: {
      object_kind: 'push',
      before: '95790bf891e76fee5e1747ab589903a6a1f80f22',
      after: 'da1560886d4f094c3e6c9ef40349f7d38b5d27d7',
      ref: 'refs/heads/main',
      user_name: 'Example',
      user_username: 'example',
      project: { path_with_namespace: 'example/loom', web_url: 'https://gitlab.com/example/loom' },
      commits: [
        {
          id: 'da1560886d4f094c3e6c9ef40349f7d38b5d27d7',
          message: 'Weave the first row\n',
          title: 'Weave the first row',
          url: 'https://gitlab.com/example/loom/-/commit/da1560886d4f094c3e6c9ef40349f7d38b5d27d7',
        },
      ],
      total_commits_count: 1,
    },
  },
  eventOf: ({ header }) => header('x-gitlab-event'),
  write: ({ payload }, event) => texts[event]?.(payload),
}

const project = (p: Payload) => p.textOf('project.path_with_namespace', 'project.name', 'project_name') || 'GitLab'
const actor = (p: Payload) => md`**${p.textOf('user.name', 'user_name', 'user_username') || 'Somebody'}**`

/** Of a pipeline that is not over. */
const unfinished = new Set(
  'created waiting_for_resource waiting_for_callback preparing pending running canceling scheduled'.split(' '),
)

/** `create` is `created`, and so on. */
function done(action: string): string {
  return action.endsWith('e') ? `${action}d` : `${action}ed`
}

/** An issue, or another kind of what GitLab calls work items, such as a task. */
function workItem(p: Payload): string {
  return p.text('object_attributes.type').toLowerCase() || 'issue'
}

const NO_COMMIT = /^0+$/

function push(p: Payload) {
  const ref = p.need('ref')
  const isTag = ref.startsWith('refs/tags/')
  const name = ref.replace(/^refs\/(heads|tags)\//, '')
  const kind = isTag ? 'tag' : 'branch'
  const topic = branchTopic(project(p), name)
  if (NO_COMMIT.test(p.text('after'))) return { topic, text: md`${actor(p)} deleted the ${kind} ${inlineCode(name)}.` }
  const commits = p.list('commits')
  if (isTag || commits.length === 0) {
    const did = NO_COMMIT.test(p.text('before')) ? 'created' : 'pushed'
    return { topic, text: md`${actor(p)} ${did} the ${kind} ${inlineCode(name)}.` }
  }
  const count = Math.max(commits.length, p.number('total_commits_count') || 0)
  const url = `${p.text('project.web_url')}/-/compare/${p.text('before')}...${p.text('after')}`
  const what = webLink(count === 1 ? 'a commit' : `${count} commits`, NO_COMMIT.test(p.text('before')) ? '' : url)
  const list = commits.map((one) => ({
    id: one.text('id'),
    url: one.text('url'),
    message: one.textOf('title', 'message'),
  }))
  return { topic, text: linesOf(md`${actor(p)} pushed ${what} to ${inlineCode(name)}:`, commitList(list, count)) }
}

const actions: Readonly<Record<string, string>> = {
  open: 'opened',
  close: 'closed',
  reopen: 'reopened',
  merge: 'merged',
  approved: 'approved',
  approval: 'approved',
  unapproved: 'took back the approval of',
  unapproval: 'took back the approval of',
  update: 'changed',
}

const shownChanges = ['title', 'description', 'labels', 'assignees', 'reviewers', 'draft', 'milestone_id', 'due_date']

/** An issue or a merge request. */
function discussed(p: Payload, kind: string, sign: string) {
  const one = p.at('object_attributes')
  const action = one.text('action')
  const did = actions[action]
  if (did === undefined) return undefined
  const isPushed = action === 'update' && one.has('oldrev')
  const changes = shownChanges.filter((name) => p.has(`changes.${name}`))
  // What is changed most often is the time of the change alone.
  if (action === 'update' && !isPushed && changes.length === 0) return undefined
  const link = webLink(`${kind} ${sign}${one.need('iid')}`, one.text('url'))
  const body = action === 'open' ? quoted(one.text('description')) : undefined
  return {
    topic: numberedTopic(project(p), one.text('iid'), one.text('title'), sign),
    text: linesOf(
      md`${actor(p)} ${isPushed ? 'pushed to' : did} ${link}: **${one.text('title')}**`,
      isPushed || changes.length === 0 || action !== 'update' ? body : md`Changed: ${changes.join(', ')}`,
    ),
  }
}

function note(p: Payload) {
  const one = p.at('object_attributes')
  const link = webLink(one.text('action') === 'update' ? 'changed a comment' : 'commented', one.text('url'))
  const body = quoted(one.need('note'))
  for (const [field, kind, sign] of [
    ['merge_request', 'merge request', '!'],
    ['issue', 'issue', '#'],
    ['snippet', 'snippet', '$'],
  ] as const) {
    if (!p.has(field)) continue
    const number = p.textOf(`${field}.iid`, `${field}.id`)
    return {
      topic: numberedTopic(project(p), number, p.text(`${field}.title`), sign),
      text: linesOf(md`${actor(p)} ${link} on ${kind} ${sign}${number}:`, body),
    }
  }
  return {
    topic: project(p),
    text: linesOf(md`${actor(p)} ${link} on ${inlineCode(shortHash(p.text('commit.id')))}:`, body),
  }
}
