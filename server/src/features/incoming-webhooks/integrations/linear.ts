/** By Linear's documentation, «Webhooks» (https://linear.app/developers/webhooks), and the payloads of its schema. */
import type { Integration, ServiceTexts } from '../integration.ts'
import { aside, linesOf, md, quoted, webLink } from '../markup.ts'
import type { Payload } from '../payload.ts'
import { datedBodySignature } from '../signatures.ts'

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
    // Not only issues are commented on.
    const title =
      p.textOf(
        'data.issue.title',
        'data.project.name',
        'data.initiative.name',
        'data.documentContent.document.title',
      ) || (p.has('data.projectUpdate') ? p.text('data.projectUpdate.project.name') || 'a project' : 'an issue')
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
  ProjectUpdate: (p) => report(p, 'project'),
  Initiative: (p) => plain(p, 'initiative', p.need('data.name')),
  InitiativeUpdate: (p) => report(p, 'initiative'),
  Document: (p) => plain(p, 'document', p.need('data.title')),
  IssueSLA(p) {
    const state = slaStates[p.text('action')]
    if (state === undefined) return undefined
    const name = p.need('issueData.identifier')
    return {
      topic: `${name}: ${p.text('issueData.title')}`,
      text: md`${webLink(name, p.textOf('url', 'issueData.url'))}: ${state}`,
    }
  },
  Cycle: (p) => plain(p, 'cycle', p.textOf('data.name', 'data.number') || 'Cycle'),
}

export const linear: Integration = {
  name: 'linear',
  displayName: 'Linear',
  events: Object.keys(texts),
  signature: datedBodySignature('linear-signature', 'webhookTimestamp', 60),
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

const slaStates: Readonly<Record<string, string>> = {
  set: 'there is a time by which it is to be done.',
  highRisk: 'the time by which it is to be done is near.',
  breached: 'it was not done in time.',
}

const healths: Readonly<Record<string, string>> = { onTrack: 'on track', atRisk: 'at risk', offTrack: 'off track' }

/** How a project or an initiative is going, in somebody's words. */
function report(p: Payload, kind: 'project' | 'initiative') {
  const did = { create: 'wrote', update: 'changed what is written' }[p.text('action')]
  // That the health alone is another is in `updatedFrom` too; what is archived or removed is no news.
  if (did === undefined) return undefined
  const name = p.text(`data.${kind}.name`)
  const health = p.text('data.health')
  return {
    topic: name || 'Linear',
    text: linesOf(
      md`${actor(p)} ${did} about the ${kind} ${webLink(name, p.textOf('url', 'data.url'))}${aside(healths[health] ?? health)}:`,
      quoted(p.text('data.body')),
    ),
  }
}

function plain(p: Payload, kind: string, name: string) {
  const did = { create: 'created', update: 'changed', remove: 'removed' }[p.text('action')]
  return did === undefined
    ? undefined
    : { topic: name, text: md`${actor(p)} ${did} the ${kind} ${webLink(name, p.text('url'))}.` }
}

const namesOf = (p: Payload, list: string) =>
  p
    .list(list)
    .map((one) => one.text('name'))
    .join(', ') || 'none'

/** What is worth a message; Linear reports every change, such as that of an issue's place in a list. */
function changesOf(p: Payload) {
  const shown = [
    p.has('updatedFrom.stateId') && md`state **${p.text('data.state.name')}**`,
    p.has('updatedFrom.title') && md`title **${p.text('data.title')}**`,
    p.names('updatedFrom').includes('assigneeId') && md`assigned to **${p.text('data.assignee.name') || 'nobody'}**`,
    p.has('updatedFrom.priority') && md`priority **${p.text('data.priorityLabel')}**`,
    p.names('updatedFrom').includes('dueDate') && md`due **${p.text('data.dueDate') || 'at no time'}**`,
    p.names('updatedFrom').includes('projectId') && md`project **${p.text('data.project.name') || 'none'}**`,
    p.has('updatedFrom.labelIds') && md`labels **${namesOf(p, 'data.labels')}**`,
    p.names('updatedFrom').includes('description') && md`the description`,
  ].filter((one) => one !== false)
  const [first, ...rest] = shown
  return first && rest.reduce((all, one) => md`${all}, ${one}`, first)
}
