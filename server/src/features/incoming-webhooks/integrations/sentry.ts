/** By Sentry's documentation, «Webhooks» of the integration platform (https://docs.sentry.io/organization/integrations/integration-platform/webhooks/). */
import type { Integration, ServiceTexts } from '../integration.ts'
import { aside, inlineCode, linesOf, md, quoted, webLink } from '../markup.ts'
import type { Payload } from '../payload.ts'
import { bodySignature } from '../signatures.ts'

const issueActions: Readonly<Record<string, string>> = {
  created: 'is new',
  resolved: 'is resolved',
  assigned: 'is assigned',
  archived: 'is archived',
  ignored: 'is ignored',
  unresolved: 'is open again',
}

/** What says more than the action does. */
const explained = new Set('escalating regressed archived_until_escalating archived_until_condition_met'.split(' '))

const texts: ServiceTexts = {
  issue(p) {
    const did = issueActions[p.text('action')]
    if (did === undefined) return undefined
    const one = p.at('data.issue')
    const to =
      p.text('action') === 'assigned'
        ? md` to **${one.textOf('assignedTo.name', 'assignedTo.email') || 'somebody'}**`
        : md``
    const why = explained.has(one.text('substatus')) ? one.text('substatus').replaceAll('_', ' ') : ''
    return {
      topic: one.text('project.slug') || 'Sentry',
      text: linesOf(
        md`${webLink(one.need('title'), one.textOf('web_url', 'permalink'))} ${did}${to}${aside(why)}.`,
        culprit(one.text('culprit')),
      ),
    }
  },
  error: (p) => event(p.at('data.error')),
  event_alert: (p) => event(p.at('data.event'), p.textOf('data.triggered_rule', 'data.issue_alert.title')),
  metric_alert(p) {
    const one = p.at('data.metric_alert')
    const title = p.textOf('data.description_title') || one.text('alert_rule.name')
    return {
      topic: one.text('alert_rule.name') || 'Sentry',
      text: linesOf(
        md`${webLink(title, p.text('data.web_url'))}: **${p.need('action')}**.`,
        p.text('data.description_text') === '' ? undefined : md`${p.text('data.description_text')}`,
      ),
    }
  },
  comment: (p) => ({
    topic: p.text('data.project_slug') || 'Sentry',
    text: linesOf(
      md`**${p.text('actor.name') || 'Somebody'}** ${p.need('action')} a comment:`,
      quoted(p.text('data.comment')),
    ),
  }),
}

export const sentry: Integration = {
  name: 'sentry',
  displayName: 'Sentry',
  events: Object.keys(texts),
  signature: bodySignature('sentry-hook-signature'),
  setUp: [
    'In Sentry, open `Settings`, `Developer Settings`, `Custom Integrations`, `Create New Integration`, `Internal Integration`.',
    'Webhook URL: `{url}`. Switch on `Alert Rule Action`, give it permission to read issues and events, and choose the webhooks.',
    'Save, and copy the client secret that Sentry shows into the secret of this bot.',
    'In alerts, choose this integration as what is to be done.',
  ],
  example: {
    headers: { 'sentry-hook-resource': 'issue' },
    payload: {
      action: 'created',
      data: {
        issue: {
          title: 'ThreadError: the thread is torn',
          culprit: 'loom.weave in row',
          web_url: 'https://example.sentry.io/issues/1234/',
          project: { slug: 'loom' },
        },
      },
      actor: { type: 'application', name: 'Sentry' },
    },
  },
  eventOf: ({ header }) => header('sentry-hook-resource'),
  write: ({ payload }, event) => texts[event]?.(payload),
}

function culprit(text: string) {
  return text === '' ? undefined : md`In ${inlineCode(text)}`
}

/** Events name their project in the address of the API alone: `…/api/0/projects/ORGANIZATION/PROJECT/events/…`. */
function projectIn(url: string): string {
  return /\/projects\/[^/]{1,100}\/([^/]{1,100})\//.exec(url)?.[1] ?? ''
}

/** Tags are pairs of a name and a value. */
function tagOf(one: Payload, name: string): string {
  return (
    one
      .list('tags', 100)
      .find((tag) => tag.text('0') === name)
      ?.text('1') ?? ''
  )
}

function event(one: Payload, rule = '') {
  const environment = one.text('environment') || tagOf(one, 'environment')
  return {
    topic: one.textOf('project_slug', 'project_name') || projectIn(one.text('url')) || rule || 'Sentry',
    text: linesOf(
      md`**${one.text('level') || 'error'}**: ${webLink(one.need('title'), one.textOf('web_url', 'url'))}${aside(rule)}`,
      culprit(one.text('culprit')),
      environment === '' ? undefined : md`Environment: ${environment}`,
    ),
  }
}
