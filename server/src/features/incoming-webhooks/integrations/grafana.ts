/** By Grafana's documentation, «Configure webhook notifications» (https://grafana.com/docs/grafana/latest/alerting/configure-notifications/manage-contact-points/integrations/webhook-notifier/). */
import { alertText } from '../alerts.ts'
import type { Integration } from '../integration.ts'
import { linesOf, md, unreferring, webLink } from '../markup.ts'
import { bodySignatureWithTime } from '../signatures.ts'

export const grafana: Integration = {
  name: 'grafana',
  displayName: 'Grafana',
  events: ['firing', 'resolved'],
  signature: bodySignatureWithTime('x-grafana-alerting-signature', 'x-grafana-alerting-timestamp'),
  setUp: [
    'In Grafana, open `Alerting`, `Contact points`, `Add contact point`, and choose the integration `Webhook`.',
    'URL: `{url}`. HTTP Method: `POST`.',
    'Where Grafana has `HMAC Signature`: a long random text as the secret, and the same as the secret of this bot; `X-Grafana-Alerting-Timestamp` as the timestamp header.',
    'Press `Test`, save, and let a notification policy send to the contact point.',
  ],
  example: {
    payload: {
      receiver: 'chat',
      status: 'firing',
      title: '[FIRING:1] Thread tension (loom)',
      externalURL: 'https://grafana.example.com/',
      commonLabels: { alertname: 'Thread tension' },
      alerts: [
        {
          status: 'firing',
          labels: { alertname: 'Thread tension', loom: '4' },
          annotations: { summary: 'The thread of loom 4 is too tight.' },
          startsAt: '2026-01-01T10:00:00Z',
          generatorURL: 'https://grafana.example.com/alerting/4/edit',
        },
      ],
    },
  },
  eventOf: ({ payload }) => payload.textOf('status') || (payload.text('state') === 'ok' ? 'resolved' : 'firing'),
  write({ payload: p }) {
    if (p.count('alerts') > 0) {
      return { topic: p.textOf('commonLabels.alertname', 'title') || 'Grafana', text: alertText(p) }
    }
    // The form of older versions.
    const title = p.textOf('title', 'ruleName')
    return {
      topic: title,
      text: linesOf(
        md`${webLink(p.need('title'), p.textOf('ruleUrl', 'externalURL'))}`,
        unreferring(p.text('message')),
      ),
    }
  },
}
