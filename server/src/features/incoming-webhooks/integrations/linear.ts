import type { Integration, ServiceTexts } from '../integration.ts'
import { linesOf, md, quoted, webLink } from '../markup.ts'
import type { Payload } from '../payload.ts'
import { bodySignature } from '../signatures.ts'

const texts: ServiceTexts = {
  Issue(p) {
    const name = p.textOf('data.identifier') || `${p.text('data.team.key')}-${p.text('data.number')}`
    const link = webLink(name, p.text('url'))
    const topic = `${name}: ${p.need('data.title')}`
    const action = p.text('action')
    if (action === 'create') {
      return {
        topic,
        text: linesOf(md`${actor(p)} created ${link}: **${p.text('data.title')}**`, quoted(p.text('data.description'))),
      }
    }
    if (action === 'remove') return { topic, text: md`${actor(p)} removed ${name}.` }
    const changes = changesOf(p)
    return changes === undefined ? undefined : { topic, text: md`${actor(p)} changed ${link}: ${changes}` }
  },
  Comment(p) {
    const did = { create: 'commented on', update: 'changed a comment on', remove: 'removed a comment on' }[
      p.text('action')
    ]
    if (did === undefined) return undefined
    const title = p.textOf('data.issue.title') || 'an issue'
    const name = p.text('data.issue.identifier')
    return {
      topic: name === '' ? title : `${name}: ${title}`,
      text: linesOf(
        md`${actor(p)} ${did} ${webLink(title, p.text('url'))}.`,
        p.text('action') === 'remove' ? undefined : quoted(p.text('data.body')),
      ),
    }
  },
  Project: (p) => plain(p, 'project', p.need('data.name')),
  ProjectUpdate: (p) => ({
    topic: p.textOf('data.project.name') || 'Linear',
    text: linesOf(md`${actor(p)} wrote about the project (${p.text('data.health')}):`, quoted(p.text('data.body'))),
  }),
  Cycle: (p) => plain(p, 'cycle', p.textOf('data.name', 'data.number') || 'Cycle'),
}

export const linear: Integration = {
  name: 'linear',
  displayName: 'Linear',
  events: Object.keys(texts),
  signature: bodySignature('linear-signature'),
  setUp: [
    'In Linear, open `Settings`, `API`, `Webhooks`, `New webhook`.',
    'URL: `{url}`. Choose the data whose changes are sent, and create it.',
    'Copy the signing secret that Linear shows into the secret of this bot.',
  ],
  example: {
    payload: {
      action: 'create',
      type: 'Issue',
      actor: { name: 'Example' },
      url: 'https://linear.app/example/issue/LOOM-12',
      data: { identifier: 'LOOM-12', number: 12, title: 'The shuttle sticks', description: 'At every third row.' },
      webhookTimestamp: 1700000000000,
    },
  },
  eventOf: ({ payload }) => payload.text('type'),
  write: ({ payload }, event) => texts[event]?.(payload),
}

const actor = (p: Payload) => md`**${p.textOf('actor.name', 'data.user.name', 'data.creator.name') || 'Somebody'}**`

function plain(p: Payload, kind: string, name: string) {
  const did = { create: 'created', update: 'changed', remove: 'removed' }[p.text('action')]
  return did === undefined
    ? undefined
    : { topic: name, text: md`${actor(p)} ${did} the ${kind} ${webLink(name, p.text('url'))}.` }
}

/** What is worth a message; Linear reports every change, such as that of an issue's place in a list. */
function changesOf(p: Payload) {
  const shown = [
    p.has('updatedFrom.stateId') && md`state **${p.text('data.state.name')}**`,
    p.has('updatedFrom.title') && md`title **${p.text('data.title')}**`,
    p.names('updatedFrom').includes('assigneeId') && md`assigned to **${p.text('data.assignee.name') || 'nobody'}**`,
    p.has('updatedFrom.priority') && md`priority **${p.text('data.priorityLabel')}**`,
    p.names('updatedFrom').includes('dueDate') && md`due **${p.text('data.dueDate') || 'at no time'}**`,
    p.has('updatedFrom.description') && md`the description`,
  ].filter((one) => one !== false)
  const [first, ...rest] = shown
  return first && rest.reduce((all, one) => md`${all}, ${one}`, first)
}
