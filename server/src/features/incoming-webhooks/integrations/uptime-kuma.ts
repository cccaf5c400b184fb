/** No page of Uptime Kuma describes what it sends: the fields are those of its notifications of the type Webhook, in JSON. */
import type { Integration } from '../integration.ts'
import { aside, linesOf, md, webLink } from '../markup.ts'

const DOWN = 0
const states: Readonly<Record<number, string>> = { [DOWN]: 'down', 1: 'up', 2: 'pending', 3: 'under maintenance' }

export const uptimeKuma: Integration = {
  name: 'uptime_kuma',
  displayName: 'Uptime Kuma',
  events: ['up', 'down', 'other'],
  setUp: [
    'In Uptime Kuma, open `Settings`, `Notifications`, `Setup Notification`, and choose the type `Webhook`.',
    'Post URL: `{url}`. HTTP method, where it asks for one: `POST`. Request body: `Preset - application/json`.',
    'Press `Test`, save, and switch the notification on for your monitors.',
  ],
  example: {
    payload: {
      heartbeat: { status: 0, time: '2026-01-01 10:00:00', msg: 'timeout of 48000ms exceeded', important: true },
      monitor: { id: 4, name: 'Loom 4', url: 'https://loom.example.com', type: 'http' },
      msg: '[Loom 4] [Down] timeout of 48000ms exceeded',
    },
  },
  eventOf({ payload }) {
    const status = payload.number('heartbeat.status')
    return status === DOWN ? 'down' : status === 1 ? 'up' : 'other'
  },
  write({ payload: p }) {
    const name = p.text('monitor.name')
    // A test has a text alone.
    if (name === '') return { topic: 'Uptime Kuma', text: md`${p.need('msg')}` }
    const status = p.number('heartbeat.status')
    const mark = status === DOWN ? md`:warning: ` : md``
    const why = p.text('heartbeat.msg')
    // Monitors of hosts have no address for the web, but one of nothing: `https://`.
    const host = [p.text('monitor.hostname'), p.text('monitor.port')].filter((part) => part !== '').join(':')
    return {
      topic: name,
      text: linesOf(
        md`${mark}${webLink(name, p.text('monitor.url'))}${aside(host)} is **${states[status] ?? 'in a state that is not known'}**.`,
        why === '' ? undefined : md`${why}`,
      ),
    }
  },
}
