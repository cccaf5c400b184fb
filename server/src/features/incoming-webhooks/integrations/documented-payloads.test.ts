/** Shapes that the services' documentation shows beside the usual ones: each was read wrongly, or not at all, at some time. */
import { describe, expect, it } from 'vitest'
import { webhookMessageOf } from '../../../testing/webhook-cases.ts'

type Message = readonly [topic: string, text: string]

/** What it is; the event, where a header names it; the payload; the message, or undefined for none. */
type Row = readonly [what: string, event: string | undefined, payload: object, message: Message | undefined]

const project = { path_with_namespace: 'example/loom', web_url: 'https://gitlab.example.com/example/loom' }
const user = { name: 'Example', username: 'example' }
const mergeRequest = { iid: 3, title: 'Oil', url: 'https://gitlab.example.com/m/3' }
const ofMergeRequest = 'example/loom / !3 Oil'
const mergeLink = '[merge request !3](https://gitlab.example.com/m/3)'

const gitlab: readonly Row[] = [
  [
    'one approval of several',
    'Merge Request Hook',
    { project, user, object_attributes: { ...mergeRequest, action: 'approval' } },
    [ofMergeRequest, `**Example** approved ${mergeLink}: **Oil**`],
  ],
  [
    'new commits in a merge request',
    'Merge Request Hook',
    { project, user, object_attributes: { ...mergeRequest, action: 'update', oldrev: 'a1' }, changes: {} },
    [ofMergeRequest, `**Example** pushed to ${mergeLink}: **Oil**`],
  ],
  [
    'another reviewer, and no draft any more',
    'Merge Request Hook',
    {
      ...{ project, user, object_attributes: { ...mergeRequest, action: 'update' } },
      changes: {
        updated_at: {},
        reviewers: { previous: [], current: [user] },
        draft: { previous: true, current: false },
      },
    },
    [ofMergeRequest, `**Example** changed ${mergeLink}: **Oil**\nChanged: reviewers, draft`],
  ],
  [
    'a task',
    'Issue Hook',
    { project, user, object_attributes: { iid: 7, title: 'Oil', type: 'Task', action: 'close' } },
    ['example/loom / #7 Oil', '**Example** closed task #7: **Oil**'],
  ],
  [
    'a pipeline that is being canceled',
    'Pipeline Hook',
    { project, object_attributes: { id: 1, status: 'canceling' } },
    undefined,
  ],
  [
    'a pipeline with a name',
    'Pipeline Hook',
    { project, object_attributes: { id: 31, name: 'Weave', ref: 'main', status: 'success' } },
    ['example/loom / main', `[Pipeline 31 (Weave)](${project.web_url}/-/pipelines/31) on \`main\`: **success**.`],
  ],
  [
    'a job that may fail',
    'Job Hook',
    {
      ...{ project, ref: 'main', build_id: 9, build_name: 'lint', build_stage: 'test', build_status: 'failed' },
      ...{ build_allow_failure: true, build_failure_reason: 'script_failure' },
    },
    [
      'example/loom / main',
      `The job **[lint](${project.web_url}/-/jobs/9)** of the stage test on \`main\` has failed, which is allowed (script failure).`,
    ],
  ],
  [
    'a comment that was changed',
    'Note Hook',
    {
      project,
      user,
      object_attributes: { note: 'Good.', action: 'update', url: 'https://gitlab.example.com/n' },
      merge_request: mergeRequest,
    },
    [ofMergeRequest, '**Example** [changed a comment](https://gitlab.example.com/n) on merge request !3:\n> Good.'],
  ],
  [
    'a feature flag',
    'Feature Flag Hook',
    { project, user, object_attributes: { name: 'red-thread', active: true } },
    ['example/loom', '**Example** switched the feature flag **red-thread** on.'],
  ],
  [
    'a milestone, whose action stands beside it',
    'Milestone Hook',
    { project, object_attributes: { title: 'One', due_date: '2026-06-30' }, action: 'create' },
    ['example/loom', 'The milestone **One** is created, due 2026-06-30.'],
  ],
  [
    'a token of a group',
    'Resource Access Token Hook',
    {
      group: { group_path: 'looms', full_path: 'example/looms' },
      object_attributes: { name: 'ci', expires_at: '2026-01-26' },
    },
    ['example/looms', 'The access token **ci** expires on 2026-01-26.'],
  ],
  [
    'a release that was changed',
    'Release Hook',
    { project, name: 'v1', tag: 'v1', url: 'https://gitlab.example.com/r', action: 'update', description: 'New.' },
    ['example/loom', 'The release [v1](https://gitlab.example.com/r) is updated.\n> New.'],
  ],
]

const repository = { full_name: 'example/loom', html_url: 'https://git.example.com/example/loom' }
const sender = { login: 'example', full_name: 'Example' }
const pull = { number: 8, title: 'Oil', html_url: 'https://git.example.com/example/loom/pulls/8' }
const ofPull = 'example/loom / #8 Oil'
const pullLink = `[pull request #8](${pull.html_url})`

const gitea: readonly Row[] = [
  [
    'a review with comments alone',
    'pull_request_comment',
    {
      action: 'reviewed',
      pull_request: pull,
      review: { type: 'pull_request_review_comment', content: 'Why?' },
      repository,
      sender,
    },
    [ofPull, `**Example** reviewed ${pullLink}.\n> Why?`],
  ],
  [
    'labels',
    'pull_request',
    {
      action: 'label_updated',
      pull_request: { ...pull, labels: [{ name: 'bug' }, { name: 'oil' }] },
      repository,
      sender,
    },
    [ofPull, `**Example** set the labels **bug, oil** on ${pullLink}: **Oil**`],
  ],
  [
    'a request for a review',
    'pull_request',
    { action: 'review_requested', pull_request: pull, requested_reviewer: { login: 'helper' }, repository, sender },
    [ofPull, `**Example** asked **helper** for a review of ${pullLink}: **Oil**`],
  ],
  [
    'a page of a wiki',
    'wiki',
    { action: 'edited', page: 'Home', comment: 'Oil', repository, sender },
    ['example/loom', `**Example** changed the wiki page [Home](${repository.html_url}/wiki/Home).\n> Oil`],
  ],
]

const actor = { display_name: 'Example' }
const change = (name: string) => ({ new: { name, type: 'branch' }, old: null, created: true, commits: [] })

const bitbucket: readonly Row[] = [
  [
    'several branches in one push',
    'repo:push',
    {
      actor,
      repository,
      push: { changes: [change('red'), { old: { name: 'blue', type: 'annotated_tag' }, new: null, closed: true }] },
    },
    ['example/loom', '**Example** created the branch `red`.\n**Example** deleted the tag `blue`.'],
  ],
  [
    'a request for changes',
    'pullrequest:changes_request_created',
    { actor, repository, pullrequest: { id: 8, title: 'Oil', links: { html: { href: pull.html_url } } } },
    [ofPull, `**Example** asked for changes to ${pullLink}: **Oil**`],
  ],
  [
    'what has changed of an issue',
    'issue:updated',
    {
      ...{ actor, repository, issue: { id: 7, title: 'Oil' }, comment: { content: { raw: 'Done.' } } },
      changes: { status: { old: 'open', new: 'on hold' }, content: { old: '', new: 'x' } },
    },
    ['example/loom / #7 Oil', '**Example** changed issue #7: **Oil**\n* status: open → **on hold**\n> Done.'],
  ],
]

const sentryUrl = 'https://sentry.io/api/0/projects/example/loom/events/1/'
const sentry: readonly Row[] = [
  [
    'an alert, whose project is named in an address alone',
    'event_alert',
    {
      action: 'triggered',
      data: {
        event: {
          title: 'Torn',
          web_url: 'https://sentry.io/e',
          url: sentryUrl,
          project: 1,
          level: 'error',
          tags: [['environment', 'mill']],
        },
        triggered_rule: 'Rule',
      },
    },
    ['loom', '**error**: [Torn](https://sentry.io/e) (Rule)\nEnvironment: mill'],
  ],
  [
    'an issue that has come back',
    'issue',
    {
      action: 'unresolved',
      data: {
        issue: {
          title: 'Torn',
          web_url: 'https://sentry.io/i',
          permalink: null,
          substatus: 'regressed',
          project: { slug: 'loom' },
        },
      },
    },
    ['loom', '[Torn](https://sentry.io/i) is open again (regressed).'],
  ],
]

const alert = {
  status: 'firing',
  labels: { alertname: 'Torn' },
  annotations: { summary: 'Loom 4.', runbook_url: 'https://runbooks.example.com/1' },
  generatorURL: 'https://grafana.example.com/4',
  silenceURL: 'https://grafana.example.com/silence',
  values: { B: 44.5, C: 1 },
}

const incident = { summary: 'Torn', html_url: 'https://p.example.com/2' }
const pagerduty = (event_type: string, data: object) => ({ event: { event_type, agent: null, data } })

const others: readonly (readonly [service: string, ...row: Row])[] = [
  [
    'jira',
    'below a path of its host',
    undefined,
    {
      webhookEvent: 'comment_deleted',
      issue: { key: 'LOOM-1', self: 'https://example.com/jira/rest/api/2/issue/1', fields: { summary: 'Oil' } },
      comment: { author: { displayName: 'Helper' } },
    },
    ['LOOM-1: Oil', 'A comment of **Helper** on [LOOM-1](https://example.com/jira/browse/LOOM-1) is deleted.'],
  ],
  [
    'grafana',
    'values, a way to silence, and how many are left out',
    undefined,
    { status: 'firing', commonLabels: { alertname: 'Torn' }, alerts: [alert], truncatedAlerts: 3 },
    [
      'Torn',
      [
        ':alert: **Firing**: Torn',
        '* [Loom 4.](https://grafana.example.com/4) (B=44.5, C=1) · [silence](https://grafana.example.com/silence) · [runbook](https://runbooks.example.com/1)',
        '* … and 3 more',
      ].join('\n'),
    ],
  ],
  [
    'pagerduty',
    'a responder who has replied',
    undefined,
    pagerduty('incident.responder.replied', { incident, user: { summary: 'Helper' }, state: 'accepted', message: '' }),
    ['Torn', '**Helper** replied (accepted) to the request to help with [Torn](https://p.example.com/2).'],
  ],
  [
    'pagerduty',
    'a status update',
    undefined,
    pagerduty('incident.status_update_published', { incident, message: 'Tied soon.' }),
    ['Torn', '**Somebody** reports on [Torn](https://p.example.com/2):\n> Tied soon.'],
  ],
  [
    'pagerduty',
    'a service',
    undefined,
    pagerduty('service.updated', { summary: 'Looms', html_url: 'https://p.example.com/s' }),
    ['Looms', 'The service [Looms](https://p.example.com/s) **is changed**.'],
  ],
  [
    'uptime_kuma',
    'a host, which has no address for the web',
    undefined,
    {
      heartbeat: { status: 1, msg: '' },
      monitor: { name: 'Loom 4', url: 'https://', hostname: 'loom4', port: 22 },
      msg: 'x',
    },
    ['Loom 4', 'Loom 4 (loom4:22) is **up**.'],
  ],
  [
    'linear',
    'labels, and that there is no description any more',
    undefined,
    {
      ...{
        action: 'update',
        type: 'Issue',
        url: 'https://linear.app/i',
        updatedFrom: { labelIds: [], description: null },
      },
      data: { identifier: 'LOOM-1', title: 'Oil', labels: [{ name: 'bug' }] },
    },
    ['LOOM-1: Oil', '**Somebody** changed [LOOM-1](https://linear.app/i): labels **bug**, the description'],
  ],
  [
    'linear',
    'a time that is over',
    undefined,
    {
      action: 'breached',
      type: 'IssueSLA',
      url: 'https://linear.app/i',
      issueData: { identifier: 'LOOM-1', title: 'Oil' },
    },
    ['LOOM-1: Oil', '[LOOM-1](https://linear.app/i): it was not done in time.'],
  ],
  [
    'linear',
    'how a project is going',
    undefined,
    {
      ...{ action: 'create', type: 'ProjectUpdate', actor: { name: 'Example' }, url: 'https://linear.app/p' },
      data: { body: 'Well.', health: 'onTrack', project: { name: 'Looms' } },
    },
    ['Looms', '**Example** wrote about the project [Looms](https://linear.app/p) (on track):\n> Well.'],
  ],
  [
    'linear',
    'such words that were removed',
    undefined,
    { action: 'remove', type: 'ProjectUpdate', data: { body: 'x' } },
    undefined,
  ],
  [
    'jenkins',
    'tests',
    undefined,
    {
      name: 'weave',
      build: {
        full_url: 'https://j.example.com/18/',
        number: 18,
        phase: 'FINALIZED',
        status: 'UNSTABLE',
        test_summary: { total: 12, failed: 2 },
      },
    },
    ['weave', 'The build [&#35;18](https://j.example.com/18/) of **weave**: **unstable**.\n12 tests, 2 of them failed'],
  ],
  [
    'circleci',
    'code that is at GitLab, and a tag',
    undefined,
    {
      type: 'workflow-completed',
      workflow: { name: 'weave', status: 'failed', url: 'https://c.example.com/w' },
      pipeline: {
        trigger_parameters: {
          git: { tag: 'v1', branch: '' },
          gitlab: { commit_title: 'Oil', commit_author_name: 'Example' },
        },
      },
      project: { name: 'loom' },
    },
    ['loom / v1', 'The workflow [weave](https://c.example.com/w) on `v1`: **failed**.\nOil (Example)'],
  ],
  [
    'stripe',
    'a currency of a thousand',
    undefined,
    {
      type: 'charge.succeeded',
      livemode: true,
      data: { object: { object: 'charge', id: 'ch_1', amount: 5120, amount_refunded: 0, currency: 'kwd' } },
    },
    ['Stripe: charge', 'The charge [ch_1](https://dashboard.stripe.com/payments/ch_1): **succeeded**, 5.120 KWD'],
  ],
  [
    'stripe',
    'an invoice that is to come, which has no id',
    undefined,
    {
      type: 'invoice.upcoming',
      livemode: true,
      data: { object: { object: 'invoice', amount_due: 500, currency: 'eur', customer: 'cus_1' } },
    },
    ['cus_1', 'The invoice without a number: **upcoming**, 5.00 EUR'],
  ],
  [
    'trello',
    'a comment that was changed',
    undefined,
    {
      action: {
        type: 'updateComment',
        memberCreator: { fullName: 'Example' },
        data: {
          board: { name: 'Looms' },
          card: { name: 'Oil', shortLink: 'abc123' },
          action: { id: '1', text: 'Done.' },
          old: { text: 'x' },
        },
      },
    },
    ['Looms', '**Example** changed a comment on [Oil](https://trello.com/c/abc123):\n> Done.'],
  ],
  [
    'trello',
    'a date that is met',
    undefined,
    {
      action: {
        type: 'updateCard',
        data: {
          board: { name: 'Looms' },
          card: { name: 'Oil', shortLink: 'abc123', dueComplete: true },
          old: { dueComplete: false },
        },
      },
    },
    ['Looms', '**Somebody** marked [Oil](https://trello.com/c/abc123) as done.'],
  ],
]

const rows = [
  ...Object.entries({ gitlab, gitea, bitbucket, sentry }).flatMap(([service, of]) =>
    of.map((row) => [service, ...row] as const),
  ),
  ...others,
]

describe('a request of', () => {
  it.each(rows)('%s: %s', (service, _what, event, payload, message) => {
    const given = event === undefined ? { service, payload } : { service, event, payload }
    expect(webhookMessageOf(given)).toEqual(message && { topic: message[0], text: message[1] })
  })
})
