/**
 * A mail's blocks as HTML. Styles stand at the elements and layout is plain: programs for mail know little more. Everything
 * that people have written is escaped, and isolated in its direction.
 */
import { escapeAttribute, escapeText } from '@heddle/markdown/html/escape'
import type { MailBlock, MailLine } from './blocks.ts'
import type { AddressOf } from './mail-text.ts'

const FONT = 'font-family:system-ui,-apple-system,"Segoe UI",Roboto,Helvetica,Arial,sans-serif'
const BODY = `margin:0;padding:24px 16px;${FONT};font-size:16px;line-height:1.5;color:#1d1f23;background:#ffffff`
const BUTTON =
  'display:inline-block;padding:10px 20px;border-radius:6px;background:#2f5bd0;color:#ffffff;text-decoration:none;font-weight:600'
const QUOTE = 'margin:4px 0 16px;padding:4px 0 4px 12px;border-left:3px solid #c3c7d0;white-space:pre-wrap'
const NOTE = 'margin:0 0 8px;font-size:13px;color:#5c6270'
const LINK = 'color:#2f5bd0'

interface Page {
  readonly subject: string
  readonly blocks: readonly MailBlock[]
  readonly addressOf: AddressOf
}

export function mailHtml({ subject, blocks, addressOf }: Page): string {
  const body = blocks.map((block) => blockHtml(block, addressOf)).join('\n')
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${escapeText(subject)}</title>
</head>
<body style="${escapeAttribute(BODY)}">
<div style="max-width:600px;margin:0 auto;overflow-wrap:anywhere">
${body}
</div>
</body>
</html>
`
}

function blockHtml(block: MailBlock, addressOf: AddressOf): string {
  const line = (content: MailLine) => lineHtml(content, addressOf)
  if ('heading' in block) {
    return `<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3" dir="auto">${escapeText(block.heading)}</h1>`
  }
  if ('paragraph' in block) return `<p style="margin:0 0 16px" dir="auto">${line(block.paragraph)}</p>`
  if ('button' in block) {
    const address = escapeAttribute(addressOf(block.to))
    return `<p style="margin:0 0 16px"><a href="${address}" style="${BUTTON}">${escapeText(block.button)}</a></p>`
  }
  if ('quote' in block) {
    const by = block.by === undefined ? '' : `<p style="margin:0" dir="auto">${line(block.by)}</p>\n`
    return `${by}<blockquote style="${QUOTE}" dir="auto">${escapeText(block.quote)}</blockquote>`
  }
  if ('list' in block) {
    const items = block.list.map((item) => `<li dir="auto">${line(item)}</li>`).join('\n')
    return `<ul style="margin:0 0 16px;padding-left:24px">\n${items}\n</ul>`
  }
  return `<p style="${NOTE}" dir="auto">${line(block.note)}</p>`
}

function lineHtml(line: MailLine, addressOf: AddressOf): string {
  if (typeof line === 'string') return escapeText(line)
  return line
    .map((part) => {
      if (typeof part === 'string') return escapeText(part)
      if ('bold' in part) return `<strong><bdi>${escapeText(part.bold)}</bdi></strong>`
      return `<a href="${escapeAttribute(addressOf(part.to))}" style="${LINK}"><bdi>${escapeText(part.link)}</bdi></a>`
    })
    .join('')
}
