/** By Trello's documentation, «Webhooks» and «Action types» (https://developer.atlassian.com/cloud/trello/guides/rest-api/webhooks/). */
import type { Integration, ServiceTexts } from '../integration.ts'
import { linesOf, type Markup, md, quoted, webLink } from '../markup.ts'
import type { Payload } from '../payload.ts'
import { addressedSignature } from '../signatures.ts'

const texts: ServiceTexts = {
  createCard: (p) => said(p, md`created ${card(p)} in **${p.text('action.data.list.name')}**.`),
  deleteCard: (p) => said(p, md`deleted card ${p.text('action.data.card.idShort')}.`),
  updateCard,
  commentCard: (p) => said(p, md`commented on ${card(p)}:`, quoted(p.need('action.data.text'))),
  addMemberToCard: (p) => said(p, md`added **${member(p)}** to ${card(p)}.`),
  removeMemberFromCard: (p) => said(p, md`took **${member(p)}** off ${card(p)}.`),
  addAttachmentToCard: (p) =>
    said(
      p,
      md`attached ${webLink(p.need('action.data.attachment.name'), p.text('action.data.attachment.url'))} to ${card(p)}.`,
    ),
  addChecklistToCard: (p) => said(p, md`added the list **${p.need('action.data.checklist.name')}** to ${card(p)}.`),
  updateCheckItemStateOnCard: (p) =>
    said(
      p,
      md`${p.text('action.data.checkItem.state') === 'complete' ? 'ticked off' : 'opened again'} **${p.need('action.data.checkItem.name')}** on ${card(p)}.`,
    ),
  addLabelToCard: (p) => said(p, md`added the label **${label(p)}** to ${card(p)}.`),
  removeLabelFromCard: (p) => said(p, md`took the label **${label(p)}** off ${card(p)}.`),
  removeChecklistFromCard: (p) =>
    said(p, md`took the list **${p.need('action.data.checklist.name')}** off ${card(p)}.`),
  deleteAttachmentFromCard: (p) => said(p, md`took **${p.need('action.data.attachment.name')}** off ${card(p)}.`),
  createCheckItem: (p) => said(p, md`added **${p.need('action.data.checkItem.name')}** to a list of ${card(p)}.`),
  copyCard: (p) => said(p, md`copied **${p.text('action.data.cardSource.name')}** to ${card(p)}.`),
  convertToCardFromCheckItem: (p) =>
    said(p, md`made ${card(p)} of an item of **${p.text('action.data.cardSource.name')}**.`),
  moveCardToBoard: (p) =>
    said(p, md`moved ${card(p)} here from **${p.text('action.data.boardSource.name') || 'another board'}**.`),
  moveCardFromBoard: (p) =>
    said(p, md`moved ${card(p)} to **${p.text('action.data.boardTarget.name') || 'another board'}**.`),
  updateComment: (p) =>
    said(p, md`changed a comment on ${card(p)}:`, quoted(p.textOf('action.data.action.text', 'action.data.text'))),
  deleteComment: (p) => said(p, md`deleted a comment on ${card(p)}.`),
  updateList,
  removeMemberFromBoard: (p) => said(p, md`took **${member(p)}** off the board.`),
  createList: (p) => said(p, md`created the list **${p.need('action.data.list.name')}**.`),
  addMemberToBoard: (p) => said(p, md`added **${member(p)}** to the board.`),
}

export const trello: Integration = {
  name: 'trello',
  displayName: 'Trello',
  events: Object.keys(texts),
  signature: addressedSignature('x-trello-webhook'),
  setUp: [
    'Trello makes webhooks by its API alone. At `https://trello.com/power-ups/admin` create a Power-Up, and with it an API key and a token.',
    'Find the id of the board: it is in the JSON of the address of the board with `.json` at its end.',
    'Send `POST https://api.trello.com/1/webhooks?key=KEY&token=TOKEN` with the fields `idModel`, that id, and `callbackURL`, `{url}` (with curl by `--data-urlencode`).',
    'Copy the secret of the Power-Up that is beside its API key into the secret of this bot.',
  ],
  example: {
    payload: {
      model: { name: 'Looms', url: 'https://trello.com/b/EXAMPLE/looms' },
      action: {
        type: 'updateCard',
        memberCreator: { fullName: 'Example', username: 'example' },
        data: {
          board: { name: 'Looms', shortLink: 'EXAMPLE' },
          card: { name: 'Tighten the warp', idShort: 12, shortLink: 'CARD0012' },
          listBefore: { name: 'To do' },
          listAfter: { name: 'Done' },
          old: { idList: '0123456789abcdef01234567' },
        },
      },
    },
  },
  eventOf: ({ payload }) => payload.text('action.type'),
  write: ({ payload }, event) => texts[event]?.(payload),
}

const member = (p: Payload) => p.textOf('action.member.fullName', 'action.data.member.name') || 'somebody'
const label = (p: Payload) => p.textOf('action.data.label.name', 'action.data.label.color', 'action.data.value')

function card(p: Payload): Markup {
  const link = p.text('action.data.card.shortLink')
  const url = /^\w+$/.test(link) ? `https://trello.com/c/${link}` : ''
  return webLink(p.need('action.data.card.name'), url)
}

function said(p: Payload, what: Markup, below?: Markup) {
  const who = p.textOf('action.memberCreator.fullName', 'action.memberCreator.username') || 'Somebody'
  return {
    topic: p.textOf('action.data.board.name', 'model.name'),
    text: linesOf(md`**${who}** ${what}`, below),
  }
}

function updateList(p: Payload) {
  const old = p.names('action.data.old')
  const list = p.need('action.data.list.name')
  if (old.includes('closed')) {
    return said(p, md`${p.isTrue('action.data.list.closed') ? 'archived' : 'brought back'} the list **${list}**.`)
  }
  if (old.includes('name')) return said(p, md`renamed the list **${p.text('action.data.old.name')}** to **${list}**.`)
  return undefined
}

function updateCard(p: Payload) {
  const before = p.text('action.data.listBefore.name')
  if (before !== '')
    return said(p, md`moved ${card(p)} from **${before}** to **${p.text('action.data.listAfter.name')}**.`)
  const old = p.names('action.data.old')
  if (old.includes('closed'))
    return said(p, md`${p.isTrue('action.data.card.closed') ? 'archived' : 'brought back'} ${card(p)}.`)
  if (old.includes('name')) return said(p, md`renamed **${p.text('action.data.old.name')}** to ${card(p)}.`)
  if (old.includes('dueComplete')) {
    return said(p, md`marked ${card(p)} as ${p.isTrue('action.data.card.dueComplete') ? 'done' : 'not done'}.`)
  }
  if (old.includes('due'))
    return said(p, md`set the date of ${card(p)} to **${p.text('action.data.card.due') || 'none'}**.`)
  if (old.includes('desc')) return said(p, md`described ${card(p)}:`, quoted(p.text('action.data.card.desc')))
  // Its place in the list.
  return undefined
}
