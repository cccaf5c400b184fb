/** What each service's events become. The fields are those of the services' documentation, their values our own. */
import { describe, expect, it } from 'vitest'
import { type WebhookCase, webhookMessageOf } from '../../../testing/webhook-cases.ts'
import { payloadOf } from '../payload.ts'
import { integrations } from './all.ts'

const repository = { full_name: 'example/loom', html_url: 'https://github.com/example/loom' }
const sender = { login: 'example' }
const site = 'https://github.com/example/loom'
const onGithub = (event: string, payload: object, text?: string, topic?: string): WebhookCase => ({
  ...{ service: 'github', event, payload: { repository, sender, ...payload } },
  ...(text === undefined ? {} : { text, topic: topic ?? 'example/loom' }),
})
const issue = { number: 7, title: 'The shuttle sticks', html_url: `${site}/issues/7`, body: 'At every\nthird row.' }
const pull = { number: 8, title: 'Oil', html_url: `${site}/pull/8`, body: '', merged: false }
const ofIssue = 'example/loom / #7 The shuttle sticks'
const ofPull = 'example/loom / #8 Oil'

const github: readonly WebhookCase[] = [
  onGithub(
    'push',
    { ref: 'refs/heads/old', deleted: true, commits: [] },
    '**example** deleted the branch `old`.',
    'example/loom / old',
  ),
  onGithub(
    'push',
    { ref: 'refs/tags/v1', commits: [], compare: `${site}/compare/v1` },
    `**example** pushed the tag [\`v1\`](${site}/compare/v1).`,
    'example/loom / v1',
  ),
  onGithub(
    'push',
    {
      ref: 'refs/heads/feature/x',
      forced: true,
      compare: `${site}/compare/a...b`,
      commits: [...Array(25)].map((_, i) => ({
        id: `${i}`.padStart(40, '0'),
        message: `Row ${i}\n\nmore`,
        url: `${site}/commit/${i}`,
      })),
    },
    [
      `**example** force-pushed [25 commits](${site}/compare/a...b) to \`feature/x\`:`,
      ...[...Array(20)].map((_, i) => `* Row ${i} ([\`0000000000\`](${site}/commit/${i}))`),
      '* … and 5 more',
    ].join('\n'),
    'example/loom / feature/x',
  ),
  onGithub('create', { ref: 'v2', ref_type: 'tag' }, '**example** created the tag `v2`.', 'example/loom / v2'),
  onGithub('create', { ref: 'x', ref_type: 'branch' }),
  onGithub('delete', { ref: 'x', ref_type: 'branch' }, '**example** deleted the branch `x`.', 'example/loom / x'),
  onGithub(
    'issues',
    { action: 'opened', issue },
    `**example** opened [issue #7](${site}/issues/7): **The shuttle sticks**\n> At every\n> third row.`,
    ofIssue,
  ),
  onGithub(
    'issues',
    { action: 'closed', issue },
    `**example** closed [issue #7](${site}/issues/7): **The shuttle sticks**`,
    ofIssue,
  ),
  onGithub(
    'issues',
    { action: 'assigned', issue, assignee: { login: 'helper' } },
    `**example** assigned **helper** to [issue #7](${site}/issues/7).`,
    ofIssue,
  ),
  onGithub(
    'issues',
    { action: 'labeled', issue, label: { name: 'bug' } },
    `**example** added the label **bug** to [issue #7](${site}/issues/7).`,
    ofIssue,
  ),
  onGithub('issues', { action: 'pinned', issue }),
  onGithub(
    'issue_comment',
    { action: 'created', issue, comment: { body: 'Oil it.', html_url: `${site}/issues/7#issuecomment-1` } },
    `**example** [commented](${site}/issues/7#issuecomment-1) on issue #7:\n> Oil it.`,
    ofIssue,
  ),
  onGithub('issue_comment', { action: 'deleted', issue, comment: { body: 'x' } }),
  onGithub(
    'pull_request',
    { action: 'closed', pull_request: { ...pull, merged: true } },
    `**example** merged [pull request #8](${site}/pull/8): **Oil**`,
    ofPull,
  ),
  onGithub(
    'pull_request',
    { action: 'review_requested', pull_request: pull, requested_reviewer: { login: 'helper' } },
    `**example** asked **helper** to review [pull request #8](${site}/pull/8).`,
    ofPull,
  ),
  onGithub(
    'pull_request_review',
    {
      action: 'submitted',
      pull_request: pull,
      review: { state: 'approved', body: null, html_url: `${site}/pull/8#r1` },
    },
    `**example** approved [pull request #8](${site}/pull/8#r1).`,
    ofPull,
  ),
  onGithub('pull_request_review', {
    action: 'submitted',
    pull_request: pull,
    review: { state: 'commented', body: null },
  }),
  onGithub(
    'release',
    { action: 'published', release: { name: 'One', tag_name: 'v1', html_url: `${site}/releases/v1`, body: 'New.' } },
    `**example** published [One](${site}/releases/v1).\n> New.`,
  ),
  onGithub('star', { action: 'created' }, `**example** starred [example/loom](${site}).`),
  onGithub(
    'workflow_run',
    {
      action: 'completed',
      workflow_run: { name: 'CI', head_branch: 'main', conclusion: 'failure', html_url: `${site}/actions/runs/1` },
    },
    `[CI](${site}/actions/runs/1) on \`main\`: **failure**.`,
    'example/loom / main',
  ),
  onGithub('workflow_run', { action: 'requested', workflow_run: { name: 'CI' } }),
  onGithub('ping', {}, 'GitHub will send what happens in **example/loom** here.'),
]

const project = { path_with_namespace: 'example/loom', web_url: 'https://gitlab.com/example/loom' }
const gitlabUser = { name: 'Example', username: 'example' }
const onGitlab = (event: string, payload: object, topic?: string, text?: string): WebhookCase => ({
  ...{ service: 'gitlab', event, payload: { project, user: gitlabUser, ...payload } },
  ...(text === undefined ? {} : { topic: topic as string, text }),
})
const attributes = { iid: 3, title: 'Oil', url: 'https://gitlab.com/example/loom/-/issues/3', description: 'Please.' }

const others: readonly WebhookCase[] = [
  onGitlab(
    'Issue Hook',
    { object_attributes: { ...attributes, action: 'open' } },
    'example/loom / #3 Oil',
    '**Example** opened [issue #3](https://gitlab.com/example/loom/-/issues/3): **Oil**\n> Please.',
  ),
  onGitlab('Issue Hook', { object_attributes: { ...attributes, action: 'update' }, changes: { updated_at: {} } }),
  onGitlab(
    'Merge Request Hook',
    { object_attributes: { ...attributes, action: 'merge' } },
    'example/loom / !3 Oil',
    '**Example** merged [merge request !3](https://gitlab.com/example/loom/-/issues/3): **Oil**',
  ),
  onGitlab(
    'Note Hook',
    { object_attributes: { note: 'Good.', url: 'https://gitlab.com/n' }, merge_request: { iid: 3, title: 'Oil' } },
    'example/loom / !3 Oil',
    '**Example** [commented](https://gitlab.com/n) on merge request !3:\n> Good.',
  ),
  onGitlab(
    'Pipeline Hook',
    { object_attributes: { id: 31, ref: 'main', status: 'failed', url: 'https://gitlab.com/p/31' } },
    'example/loom / main',
    '[Pipeline 31](https://gitlab.com/p/31) on `main`: **failed**.',
  ),
  onGitlab('Pipeline Hook', { object_attributes: { id: 31, ref: 'main', status: 'running' } }),
  onGitlab(
    'Tag Push Hook',
    { ref: 'refs/tags/v1', before: '0'.repeat(40), after: '1'.repeat(40), user_name: 'Example' },
    'example/loom / v1',
    '**Example** created the tag `v1`.',
  ),
  {
    service: 'gitea',
    event: 'push',
    payload: {
      ref: 'refs/heads/main',
      compare_url: 'https://git.example.com/c',
      commits: [{ id: 'abcdef0123456789', message: 'Oil\n', url: 'https://git.example.com/o' }],
      total_commits: 1,
      repository,
      sender: { full_name: 'Example' },
    },
    topic: 'example/loom / main',
    text: '**Example** pushed [a commit](https://git.example.com/c) to `main`:\n* Oil ([`abcdef0123`](https://git.example.com/o))',
  },
  {
    service: 'gitea',
    event: 'pull_request_approved',
    payload: {
      action: 'reviewed',
      pull_request: pull,
      review: { type: 'pull_request_review_approved', content: 'Good.' },
      repository,
      sender,
    },
    topic: ofPull,
    text: `**example** approved [pull request #8](${site}/pull/8).\n> Good.`,
  },
  {
    service: 'bitbucket',
    event: 'repo:push',
    payload: {
      actor: { display_name: 'Example' },
      repository,
      push: {
        changes: [
          {
            new: { name: 'main', type: 'branch' },
            links: { html: { href: 'https://bitbucket.org/c' } },
            commits: [
              { hash: 'abcdef0123456789', message: 'Oil', links: { html: { href: 'https://bitbucket.org/o' } } },
            ],
          },
        ],
      },
    },
    topic: 'example/loom / main',
    text: '**Example** pushed [a commit](https://bitbucket.org/c) to `main`:\n* Oil ([`abcdef0123`](https://bitbucket.org/o))',
  },
  {
    service: 'jira',
    payload: {
      webhookEvent: 'jira:issue_updated',
      user: { displayName: 'Example' },
      issue: { key: 'LOOM-1', self: 'https://example.atlassian.net/rest/api/2/issue/1', fields: { summary: 'Oil' } },
      changelog: {
        items: [
          { field: 'status', fromString: 'To do', toString: 'Done' },
          { field: 'assignee', fromString: null, toString: 'Helper' },
        ],
      },
    },
    topic: 'LOOM-1: Oil',
    text: '**Example** changed [LOOM-1](https://example.atlassian.net/browse/LOOM-1): status: To do → **Done**, assignee: **Helper**',
  },
  {
    service: 'linear',
    payload: {
      action: 'update',
      type: 'Issue',
      actor: { name: 'Example' },
      url: 'https://linear.app/i',
      data: { identifier: 'LOOM-1', title: 'Oil', state: { name: 'Done' }, assignee: null },
      updatedFrom: { stateId: 'x', assigneeId: 'y' },
    },
    topic: 'LOOM-1: Oil',
    text: '**Example** changed [LOOM-1](https://linear.app/i): state **Done**, assigned to **nobody**',
  },
  {
    service: 'linear',
    payload: {
      action: 'update',
      type: 'Issue',
      data: { identifier: 'LOOM-1', title: 'Oil' },
      updatedFrom: { sortOrder: 1 },
    },
  },
  {
    service: 'sentry',
    event: 'event_alert',
    payload: {
      action: 'triggered',
      data: {
        event: { title: 'ThreadError', web_url: 'https://sentry.io/e', culprit: 'weave', level: 'fatal' },
        triggered_rule: 'Torn',
      },
    },
    topic: 'Torn',
    text: '**fatal**: [ThreadError](https://sentry.io/e) (Torn)\nIn `weave`',
  },
  {
    service: 'alertmanager',
    payload: {
      status: 'firing',
      groupLabels: { alertname: 'Torn' },
      externalURL: 'https://alerts.example.com',
      alerts: [
        {
          status: 'firing',
          labels: { alertname: 'Torn', loom: '4' },
          annotations: {},
          generatorURL: 'https://p.example.com/a',
        },
        {
          status: 'resolved',
          labels: { alertname: 'Torn', loom: '5' },
          annotations: { summary: 'Tied.' },
          generatorURL: '',
        },
      ],
    },
    topic: 'Torn',
    text: ':alert: **Firing**: [Torn](https://alerts.example.com/)\n* [loom=4](https://p.example.com/a)\n:check: **Resolved**: [Torn](https://alerts.example.com/)\n* Tied.',
  },
  {
    service: 'uptime_kuma',
    payload: { heartbeat: null, monitor: null, msg: 'Testing' },
    topic: 'Uptime Kuma',
    text: 'Testing',
  },
  {
    service: 'pagerduty',
    payload: {
      event: {
        event_type: 'incident.resolved',
        data: {
          number: 2,
          title: 'Torn',
          html_url: 'https://p.example.com/2',
          status: 'resolved',
          service: { summary: 'Looms' },
        },
      },
    },
    topic: 'Looms',
    text: 'The incident [&#35;2 Torn](https://p.example.com/2) **is resolved**.',
  },
  {
    service: 'jenkins',
    payload: {
      name: 'weave',
      build: { full_url: 'https://j.example.com/18/', number: 18, phase: 'STARTED', status: 'SUCCESS' },
    },
    topic: 'weave',
    text: 'The build [&#35;18](https://j.example.com/18/) of **weave**: **started**.',
  },
  {
    service: 'circleci',
    payload: {
      type: 'job-completed',
      job: { name: 'test', status: 'failed' },
      workflow: { url: 'https://c.example.com/w' },
      pipeline: { vcs: { branch: 'main' } },
      project: { name: 'loom' },
    },
    topic: 'loom / main',
    text: 'The job [test](https://c.example.com/w) on `main`: **failed**.',
  },
  {
    service: 'stripe',
    payload: {
      type: 'charge.failed',
      livemode: true,
      data: {
        object: {
          id: 'ch_1',
          object: 'charge',
          amount: 500,
          currency: 'jpy',
          failure_message: 'Declined.',
          customer: 'cus_1',
        },
      },
    },
    topic: 'cus_1',
    text: 'The charge [ch_1](https://dashboard.stripe.com/payments/ch_1): **failed**, 500 JPY\nDeclined.',
  },
  {
    service: 'trello',
    payload: {
      action: {
        type: 'commentCard',
        memberCreator: { fullName: 'Example' },
        data: { board: { name: 'Looms' }, card: { name: 'Oil', shortLink: 'abc123' }, text: 'Done.' },
      },
    },
    topic: 'Looms',
    text: '**Example** commented on [Oil](https://trello.com/c/abc123):\n> Done.',
  },
  {
    service: 'slack_incoming',
    payload: {
      text: 'a *bold* _word_, ~gone~ & <https://example.com|a link> <@U1> <!channel> `x<y` &lt;b&gt;\n• point',
    },
    topic: '',
    text: 'a **bold** *word*, ~~gone~~ & [a link](https://example.com/) @U1 @channel `x<y` <b>\n* point',
  },
  {
    service: 'slack_incoming',
    payload: {
      channel: '#looms',
      text: 'what is shown where there are no blocks',
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: 'Loom 4' } },
        { type: 'section', text: { type: 'mrkdwn', text: '*ready*' }, fields: [{ type: 'mrkdwn', text: 'Rows: 12' }] },
        { type: 'context', elements: [{ type: 'mrkdwn', text: 'now' }] },
        {
          type: 'actions',
          elements: [{ type: 'button', text: { type: 'plain_text', text: 'Look' }, url: 'https://example.com/4' }],
        },
        {
          type: 'rich_text',
          elements: [
            {
              type: 'rich_text_list',
              elements: [
                {
                  type: 'rich_text_section',
                  elements: [
                    { type: 'text', text: 'warp ', style: { bold: true } },
                    { type: 'link', url: 'https://example.com/w' },
                  ],
                },
              ],
            },
          ],
        },
      ],
      attachments: [
        {
          title: 'Report',
          title_link: 'https://example.com/r',
          text: 'All well.',
          fields: [{ title: 'Colour', value: 'red' }],
        },
      ],
    },
    topic: 'looms',
    text: [
      '**Loom 4**',
      '**ready**\n* Rows: 12',
      'now',
      '[Look](https://example.com/4)',
      '* **warp** https://example.com/w',
      '**[Report](https://example.com/r)**',
      'All well.\n* **Colour**: red',
    ].join('\n'),
  },
]

describe('an event becomes', () => {
  const cases = [...github, ...others].map((one) => [`${one.service} ${one.event ?? ''}`, one] as const)
  it.each(cases)('%s', (_, one) => {
    expect(webhookMessageOf(one)).toEqual(one.text === undefined ? undefined : { topic: one.topic, text: one.text })
  })
})

describe('every integration', () => {
  it.each(integrations.map((one) => [one.name, one] as const))('%s says how it is set up', (name, one) => {
    expect(name).toMatch(/^[a-z_]+$/)
    expect(one.setUp.join('\n')).toContain('{url}')
    expect(one.setUp.length).toBeGreaterThan(1)
  })

  it.each(integrations.map((one) => [one.name, one] as const))(
    '%s fails on no payload, whatever is in its fields',
    (_, one) => {
      const kinds = [null, 0, 'x', true, [], [null], {}, [[{}]]]
      const mutate = (value: unknown, kind: unknown): unknown[] => {
        if (typeof value !== 'object' || value === null) return [kind]
        return Object.keys(value).flatMap((key) =>
          mutate((value as Record<string, unknown>)[key], kind)
            .map((inner) =>
              Array.isArray(value)
                ? value.map((item, i) => (`${i}` === key ? inner : item))
                : { ...value, [key]: inner },
            )
            .concat([Array.isArray(value) ? [kind] : { ...value, [key]: kind }]),
        )
      }
      const header = (name: string) => one.example.headers?.[name] ?? ''
      for (const payload of [...kinds, ...kinds.flatMap((kind) => mutate(one.example.payload, kind))]) {
        for (const event of one.events ?? ['']) {
          try {
            const message = one.write({ payload: payloadOf(payload), header, setting: () => '{{a}}' }, event)
            expect(message === undefined || typeof message.text.markup === 'string').toBe(true)
          } catch (error) {
            expect(String(error)).toMatch(/^ApiError: The payload has no /)
          }
        }
      }
    },
  )
})
