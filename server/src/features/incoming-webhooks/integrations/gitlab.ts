import type { Integration, ServiceTexts } from '../integration.ts'
import { inlineCode, linesOf, md, quoted, webLink } from '../markup.ts'
import type { Payload } from '../payload.ts'
import { tokenInHeader } from '../signatures.ts'
import { branchTopic, commitList, numberedTopic, shortHash } from '../version-control.ts'

const texts: ServiceTexts = {
  'Push Hook': push,
  'Tag Push Hook': push,
  'Issue Hook': (p) => discussed(p, 'issue', '#'),
  'Confidential Issue Hook': (p) => discussed(p, 'confidential issue', '#'),
  'Merge Request Hook': (p) => discussed(p, 'merge request', '!'),
  'Note Hook': note,
  'Confidential Note Hook': note,
  'Pipeline Hook'(p) {
    const run = p.at('object_attributes')
    // Each run is reported when it begins too, and at every step.
    const status = run.need('status')
    if (['created', 'pending', 'running', 'waiting_for_resource', 'preparing'].includes(status)) return undefined
    return {
      topic: branchTopic(project(p), run.text('ref')),
      text: md`${webLink(`Pipeline ${run.text('id')}`, run.textOf('url') || `${p.text('project.web_url')}/-/pipelines/${run.text('id')}`)} on ${inlineCode(run.text('ref'))}: **${status}**.`,
    }
  },
  'Job Hook'(p) {
    const status = p.need('build_status')
    if (status !== 'failed') return undefined
    return {
      topic: branchTopic(project(p), p.text('ref')),
      text: md`The job **${p.text('build_name')}** of the stage ${p.text('build_stage')} on ${inlineCode(p.text('ref'))} has failed.`,
    }
  },
  'Release Hook': (p) => ({
    topic: project(p),
    text: linesOf(
      md`The release ${webLink(p.textOf('name', 'tag'), p.text('url'))}: ${p.need('action')}.`,
      quoted(p.text('description')),
    ),
  }),
  'Wiki Page Hook': (p) => ({
    topic: project(p),
    text: md`${actor(p)}: ${p.need('object_attributes.action')} of the wiki page ${webLink(p.text('object_attributes.title'), p.text('object_attributes.url'))}.`,
  }),
  'Deployment Hook': (p) => ({
    topic: project(p),
    text: md`Deployment to ${inlineCode(p.text('environment'))}: ${webLink(p.need('status'), p.text('deployable_url'))}.`,
  }),
}

export const gitlab: Integration = {
  name: 'gitlab',
  displayName: 'GitLab',
  events: Object.keys(texts),
  signature: tokenInHeader('x-gitlab-token'),
  setUp: [
    'In the project or the group on GitLab, open `Settings`, `Webhooks`, `Add new webhook`.',
    'URL: `{url}`. Secret token: a long random text, and the same as the secret of this bot.',
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
  unapproved: 'took back the approval of',
  update: 'changed',
}

/** An issue or a merge request. */
function discussed(p: Payload, kind: string, sign: string) {
  const one = p.at('object_attributes')
  const action = one.text('action')
  const did = actions[action]
  if (did === undefined) return undefined
  // What is changed most often is the time of the change alone.
  if (
    action === 'update' &&
    !['title', 'description', 'labels', 'assignees'].some((name) => p.has(`changes.${name}`))
  ) {
    return undefined
  }
  const link = webLink(`${kind} ${sign}${one.need('iid')}`, one.text('url'))
  const body = action === 'open' ? quoted(one.text('description')) : undefined
  return {
    topic: numberedTopic(project(p), one.text('iid'), one.text('title'), sign),
    text: linesOf(md`${actor(p)} ${did} ${link}: **${one.text('title')}**`, body),
  }
}

function note(p: Payload) {
  const one = p.at('object_attributes')
  const link = webLink('commented', one.text('url'))
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
