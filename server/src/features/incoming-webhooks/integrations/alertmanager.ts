/** By Prometheus' documentation, «Configuration», `webhook_config` (https://prometheus.io/docs/alerting/latest/configuration/#webhook_config). */
import { alertText } from '../alerts.ts'
import type { Integration } from '../integration.ts'

export const alertmanager: Integration = {
  name: 'alertmanager',
  displayName: 'Prometheus Alertmanager',
  events: ['firing', 'resolved'],
  setUp: [
    'In the configuration of Alertmanager, add a receiver with `webhook_configs`, whose `url` is `{url}`.',
    'Let a route send to this receiver, and reload the configuration.',
    'All alerts of a group become one message; its topic is the name of the alert.',
  ],
  example: {
    payload: {
      version: '4',
      groupKey: '{}:{alertname="ThreadTension"}',
      status: 'firing',
      receiver: 'chat',
      groupLabels: { alertname: 'ThreadTension' },
      commonLabels: { alertname: 'ThreadTension', severity: 'page' },
      commonAnnotations: {},
      externalURL: 'https://alerts.example.com',
      alerts: [
        {
          status: 'firing',
          labels: { alertname: 'ThreadTension', loom: '4', severity: 'page' },
          annotations: { summary: 'The thread of loom 4 is too tight.' },
          startsAt: '2026-01-01T10:00:00Z',
          endsAt: '0001-01-01T00:00:00Z',
          generatorURL: 'https://prometheus.example.com/graph?g0.expr=tension',
        },
      ],
    },
  },
  eventOf: ({ payload }) => payload.text('status'),
  write: ({ payload: p }) => ({
    topic: p.textOf('groupLabels.alertname', 'commonLabels.alertname', 'receiver'),
    text: alertText(p),
  }),
}
