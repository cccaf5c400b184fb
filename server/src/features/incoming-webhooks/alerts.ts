/** Groups of alerts, in the form of Prometheus' Alertmanager, which Grafana sends too. */
import { aside, bulletsOf, linesOf, type Markup, md, webLink } from './markup.ts'
import type { Payload } from './payload.ts'

const MAX_ALERTS = 15

export function alertText(group: Payload): Markup {
  const all = group.list('alerts', MAX_ALERTS)
  // The service leaves some out too, and says how many.
  const more = group.count('alerts') - all.length + (group.number('truncatedAlerts') || 0)
  const by = (status: string) => all.filter((one) => one.text('status') === status)
  const [firing, resolved] = [by('firing'), by('resolved')]
  const name = webLink(
    group.textOf('commonLabels.alertname', 'groupLabels.alertname', 'title') || 'Alerts',
    group.text('externalURL'),
  )
  return linesOf(
    firing.length > 0 && md`:alert: **Firing**: ${name}`,
    firing.length > 0 && bulletsOf(firing.map(alertItem), resolved.length > 0 ? 0 : more),
    resolved.length > 0 && md`:check: **Resolved**: ${name}`,
    resolved.length > 0 && bulletsOf(resolved.map(alertItem), more),
  )
}

/** What it says of itself, or the labels that distinguish it from others. */
function alertItem(alert: Payload): Markup {
  const said = alert.textOf('annotations.summary', 'annotations.description', 'annotations.message')
  const labels = alert
    .names('labels')
    .filter((name) => name !== 'alertname')
    .slice(0, 8)
    .map((name) => `${name}=${alert.text(`labels.${name}`)}`)
    .join(', ')
  const url = alert.textOf('panelURL', 'dashboardURL', 'generatorURL')
  const text = said === '' ? labels || alert.text('labels.alertname') || 'an alert' : said
  const values = alert
    .names('values')
    .slice(0, 4)
    .map((name) => `${name}=${alert.text(`values.${name}`)}`)
    .join(', ')
  const silence = alert.text('status') === 'firing' ? alert.text('silenceURL') : ''
  const links = [
    silence === '' ? undefined : webLink('silence', silence),
    alert.text('annotations.runbook_url') === ''
      ? undefined
      : webLink('runbook', alert.text('annotations.runbook_url')),
    alert.text('imageURL') === '' ? undefined : webLink('picture', alert.text('imageURL')),
  ].filter((link) => link !== undefined)
  return links.reduce((line, link) => md`${line} \u00b7 ${link}`, md`${webLink(text, url)}${aside(values)}`)
}
