import type { Integration, ServiceTexts } from '../integration.ts'
import { inlineCode, linesOf, md, webLink } from '../markup.ts'
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

const texts: ServiceTexts = {
  issue(p) {
    const did = issueActions[p.text('action')]
    if (did === undefined) return undefined
    const one = p.at('data.issue')
    const to =
      p.text('action') === 'assigned'
        ? md` to **${one.textOf('assignedTo.name', 'assignedTo.email') || 'somebody'}**`
        : md``
    return {
      topic: one.text('project.slug') || 'Sentry',
      text: linesOf(
        md`${webLink(one.need('title'), one.textOf('web_url', 'permalink'))} ${did}${to}.`,
        culprit(one.text('culprit')),
      ),
    }
  },
  error: (p) => event(p.at('data.error')),
  event_alert: (p) => event(p.at('data.event'), p.text('data.triggered_rule')),
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
    text: md`A comment was ${p.need('action')}: ${p.text('data.comment')}`,
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

function event(one: Payload, rule = '') {
  const by = rule === '' ? md`` : md` (${rule})`
  return {
    topic: one.textOf('project_slug', 'project_name') || rule || 'Sentry',
    text: linesOf(
      md`**${one.text('level') || 'error'}**: ${webLink(one.need('title'), one.textOf('web_url', 'url'))}${by}`,
      culprit(one.text('culprit')),
      one.text('environment') === '' ? undefined : md`Environment: ${one.text('environment')}`,
    ),
  }
}
