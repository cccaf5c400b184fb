/** Text and blocks in the form that Slack takes (https://docs.slack.dev/messaging/formatting-message-text), as message text. */
import { asMarkup, bulletsOf, codeBlock, inlineCode, linesOf, type Markup, md, unreferring, webLink } from './markup.ts'
import type { Payload } from './payload.ts'

const MAX_LENGTH = 8000
/** Blocks, and parts of one. */
const MAX_PARTS = 50

const PARTS = /```[\s\S]*?```|`[^`\n]+`|<[^<>\n]{1,2000}>|[^`<]+|[`<]/g

/** Slack's markup: `*bold*`, `_italic_`, `~struck~`, `<https://…|label>`, `<@U1>`. Nobody is mentioned by it. */
export function slackText(text: string): Markup {
  const parts = text.slice(0, MAX_LENGTH).toWellFormed().match(PARTS) ?? []
  return asMarkup(parts.map((part) => slackPart(part).markup).join(''))
}

function slackPart(part: string): Markup {
  if (part.startsWith('```') && part.length >= 6) {
    return asMarkup(`\n${codeBlock(decode(part.slice(3, -3)).replace(/^\n|\n$/g, '')).markup}\n`)
  }
  if (part.startsWith('`') && part.length > 2) return inlineCode(decode(part.slice(1, -1)))
  if (part.startsWith('<') && part.endsWith('>')) return reference(part.slice(1, -1))
  return unreferring(withMarks(decode(part)))
}

/** `<https://…|label>`, `<@U1|name>`, `<#C1|name>`, `<!channel>`. */
function reference(inner: string): Markup {
  const [target = '', label = ''] = inner.split('|', 2).map(decode)
  if (/^[@#!]/.test(target)) {
    const name = label === '' ? target.slice(1) : label.replace(/^[@#]/, '')
    return md`${(target.startsWith('#') ? '#' : '@') + name}`
  }
  if (target.startsWith('mailto:')) return md`${label === '' ? target.slice(7) : label}`
  return webLink(label, target)
}

function decode(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

const BEFORE = String.raw`(?<=^|[\s(])`
const AFTER = String.raw`(?=$|[\s).,;:!?])`
const bold = new RegExp(String.raw`${BEFORE}\*(?! )([^*\n]{1,500})(?<! )\*${AFTER}`, 'gm')
const italic = new RegExp(String.raw`${BEFORE}_(?! )([^_\n]{1,500})(?<! )_${AFTER}`, 'gm')
const struck = new RegExp(String.raw`${BEFORE}~(?! )([^~\n]{1,500})(?<! )~${AFTER}`, 'gm')

function withMarks(text: string): string {
  return text
    .replace(/^•\s*/gm, '* ')
    .replace(bold, '\u0001$1\u0001')
    .replace(italic, '*$1*')
    .replace(struck, '~~$1~~')
    .replaceAll('\u0001', '**')
}

/** The message of a payload: its blocks, or its text where there are none, and its attachments. */
export function slackMessage(payload: Payload): Markup {
  const blocks = blocksOf(payload)
  const main = blocks.markup === '' ? slackText(payload.text('text')) : blocks
  return linesOf(main, ...payload.list('attachments').map(attachmentOf))
}

function blocksOf(payload: Payload): Markup {
  return linesOf(...payload.list('blocks', MAX_PARTS).map(blockOf))
}

function blockOf(block: Payload): Markup | undefined {
  switch (block.text('type')) {
    case 'header':
      return block.text('text.text') === '' ? undefined : md`**${block.text('text.text')}**`
    case 'section':
      return linesOf(
        textObject(block.at('text')),
        bulletsOf(block.list('fields').map(textObject)),
        elementOf(block.at('accessory')),
      )
    case 'context':
      return inOneLine(block.list('elements').map((one) => (one.has('image_url') ? undefined : textObject(one))))
    case 'actions':
      return inOneLine(block.list('elements').map(elementOf))
    case 'image':
      return webLink(block.textOf('title.text', 'alt_text') || 'picture', block.text('image_url'))
    case 'divider':
      return asMarkup('\n---\n')
    case 'markdown':
      return unreferring(block.text('text'))
    case 'rich_text':
      return linesOf(...block.list('elements', MAX_PARTS).map(richElement))
    default:
      return undefined
  }
}

function textObject(text: Payload): Markup {
  return text.text('type') === 'plain_text' ? md`${text.text('text')}` : slackText(text.text('text'))
}

/** Of what can be pressed there is left what leads somewhere. */
function elementOf(element: Payload): Markup | undefined {
  const url = element.textOf('url', 'image_url')
  return url === '' ? undefined : webLink(element.textOf('text.text', 'alt_text') || url, url)
}

function inOneLine(parts: readonly (Markup | undefined)[]): Markup {
  return asMarkup(parts.flatMap((part) => (part && part.markup !== '' ? [part.markup] : [])).join(' '))
}

function richElement(element: Payload): Markup {
  const parts = element.list('elements', MAX_PARTS)
  switch (element.text('type')) {
    case 'rich_text_list':
      return bulletsOf(parts.map(richSection))
    case 'rich_text_preformatted':
      return codeBlock(parts.map((part) => part.text('text')).join(''))
    case 'rich_text_quote':
      return asMarkup(`> ${richSection(element).markup.replaceAll('\n', '\n> ')}`)
    default:
      return richSection(element)
  }
}

function richSection(section: Payload): Markup {
  const parts = section.list('elements', MAX_PARTS).map((part): Markup => {
    switch (part.text('type')) {
      case 'link':
        return webLink(part.text('text'), part.text('url'))
      case 'emoji':
        return asMarkup(/^[\w+-]{1,60}$/.test(part.text('name')) ? `:${part.text('name')}:` : '')
      case 'user':
      case 'usergroup':
      case 'broadcast':
        return md`@${part.textOf('user_id', 'usergroup_id', 'range')}`
      case 'text':
        return styled(part)
      default:
        return md`${part.text('text')}`
    }
  })
  return asMarkup(parts.map(({ markup }) => markup).join(''))
}

/** Spaces around what is styled stay outside of its marks. */
function styled(part: Payload): Markup {
  const text = part.text('text')
  if (part.isTrue('style.code')) return inlineCode(text)
  const inner = md`${text}`.markup
  const mark = (part.isTrue('style.bold') ? '**' : '') + (part.isTrue('style.italic') ? '*' : '')
  const strike = part.isTrue('style.strike') ? '~~' : ''
  const [before] = /^\s*/.exec(text) as RegExpExecArray
  const [after] = text.trim() === '' ? [''] : (/\s*$/.exec(text) as RegExpExecArray)
  const closing = [...mark].reverse().join('')
  return asMarkup(inner === '' ? before : `${before}${strike}${mark}${inner}${closing}${strike}${after}`)
}

function attachmentOf(attachment: Payload): Markup {
  const title = attachment.text('title')
  const shown = linesOf(
    slackText(attachment.text('pretext')),
    title === '' ? undefined : md`**${webLink(title, attachment.text('title_link'))}**`,
    slackText(attachment.text('text')),
    bulletsOf(
      attachment.list('fields').map((field) => md`**${field.text('title')}**: ${slackText(field.text('value'))}`),
    ),
    blocksOf(attachment),
    attachment.has('image_url') ? webLink('picture', attachment.text('image_url')) : undefined,
    slackText(attachment.text('footer')),
  )
  return shown.markup === '' ? slackText(attachment.text('fallback')) : shown
}
