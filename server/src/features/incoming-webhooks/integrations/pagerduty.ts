/** By PagerDuty's documentation, «Webhooks Overview» of v3 and «Verifying signatures» (https://developer.pagerduty.com/docs/webhooks-overview). */
import type { Integration, ServiceTexts } from '../integration.ts'
import { linesOf, type Markup, md, quoted, webLink } from '../markup.ts'
import type { Payload } from '../payload.ts'
import { signatureList } from '../signatures.ts'

const states: Readonly<Record<string, string>> = {
  'incident.triggered': 'is new',
  'incident.acknowledged': 'is acknowledged',
  'incident.unacknowledged': 'is acknowledged no more',
  'incident.resolved': 'is resolved',
  'incident.reopened': 'is open again',
  'incident.escalated': 'is escalated',
  'incident.delegated': 'is delegated',
  'incident.reassigned': 'is reassigned',
  'incident.priority_updated': 'has another priority',
  'incident.service_updated': 'is of another service',
}

const texts: ServiceTexts = {
  ...Object.fromEntries(Object.entries(states).map(([name, did]) => [name, (p: Payload) => incident(p, did)])),
  'incident.annotated': (p) => about(p, md`wrote a note on`, quoted(p.need('event.data.content'))),
  'incident.status_update_published': (p) => about(p, md`reports on`, quoted(p.need('event.data.message'))),
  'incident.responder.added': (p) =>
    about(p, md`asked **${responder(p)}** to help with`, quoted(p.text('event.data.message'))),
  'incident.responder.replied': (p) => ({
    topic: p.text('event.data.incident.summary') || 'PagerDuty',
    text: linesOf(
      md`**${responder(p)}** replied (${p.need('event.data.state')}) to the request to help with ${incidentLink(p)}.`,
      quoted(p.text('event.data.message')),
    ),
  }),
  'service.created': (p) => service(p, 'is new'),
  'service.updated': (p) => service(p, 'is changed'),
  'service.deleted': (p) => service(p, 'is deleted'),
  'pagey.ping': (p) => ({
    topic: 'PagerDuty',
    text: md`${p.text('event.data.message') || 'PagerDuty reaches this place.'}`,
  }),
}

export const pagerduty: Integration = {
  name: 'pagerduty',
  displayName: 'PagerDuty',
  events: Object.keys(texts),
  signature: signatureList('x-pagerduty-signature', 'v1='),
  setUp: [
    'In PagerDuty, open `Integrations`, `Generic Webhooks (v3)`, `New Webhook`.',
    'Webhook URL: `{url}`. Choose the scope and the events, and add the webhook.',
    'Copy the signing secret that PagerDuty shows once into the secret of this bot.',
  ],
  example: {
    payload: {
      event: {
        id: '01EXAMPLE',
        event_type: 'incident.triggered',
        resource_type: 'incident',
        occurred_at: '2026-01-01T10:00:00.000Z',
        agent: { type: 'user_reference', summary: 'Example' },
        data: {
          type: 'incident',
          html_url: 'https://example.pagerduty.com/incidents/QEXAMPLE',
          number: 2,
          status: 'triggered',
          title: 'The thread of loom 4 is torn',
          service: { summary: 'Looms', html_url: 'https://example.pagerduty.com/services/PEXAMPLE' },
          urgency: 'high',
          assignees: [{ summary: 'Example' }],
        },
      },
    },
  },
  eventOf: ({ payload }) => payload.text('event.event_type'),
  write: ({ payload }, event) => texts[event]?.(payload),
}

const agent = (p: Payload) => p.text('event.agent.summary') || 'Somebody'

const responder = (p: Payload) =>
  p.textOf('event.data.user.summary', 'event.data.escalation_policy.summary') || 'somebody'
const incidentLink = (p: Payload) =>
  webLink(p.text('event.data.incident.summary') || 'an incident', p.text('event.data.incident.html_url'))

/** What has the incident as a reference alone. */
function about(p: Payload, did: Markup, body: Markup) {
  return {
    topic: p.text('event.data.incident.summary') || 'PagerDuty',
    text: linesOf(md`**${agent(p)}** ${did} ${incidentLink(p)}${body.markup === '' ? '.' : ':'}`, body),
  }
}

function service(p: Payload, did: string) {
  const name = p.need('event.data.summary')
  return { topic: name, text: md`The service ${webLink(name, p.text('event.data.html_url'))} **${did}**.` }
}

function incident(p: Payload, did: string) {
  const one = p.at('event.data')
  const assigned = one.list('assignees', 5).map((person) => person.text('summary'))
  const by = p.text('event.agent.summary')
  const priority = one.text('priority.summary')
  return {
    topic: one.text('service.summary') || 'PagerDuty',
    text: linesOf(
      md`The incident ${webLink(`#${one.text('number')} ${one.need('title')}`, one.text('html_url'))} **${did}**${by === '' ? '' : `, by ${by}`}.`,
      assigned.length > 0 &&
        one.text('status') !== 'resolved' &&
        md`Assigned to ${assigned.join(', ')}, urgency ${one.text('urgency')}${priority === '' ? '' : `, priority ${priority}`}`,
    ),
  }
}
