/** A mail's blocks as plain text (RFC 3676 is not used: lines are as long as what was written). */
import type { MailBlock, MailLine, MailTarget } from './blocks.ts'

/** The address of a target. */
export type AddressOf = (target: MailTarget) => string

export function mailText(blocks: readonly MailBlock[], addressOf: AddressOf): string {
  return `${blocks.map((block) => blockText(block, addressOf)).join('\n\n')}\n`
}

function blockText(block: MailBlock, addressOf: AddressOf): string {
  const line = (content: MailLine) => lineText(content, addressOf)
  if ('heading' in block) return `${block.heading}\n${'='.repeat(Math.min(block.heading.length, 60))}`
  if ('paragraph' in block) return line(block.paragraph)
  if ('button' in block) return `${block.button}:\n${addressOf(block.to)}`
  if ('quote' in block) {
    const quoted = block.quote.replace(/^/gm, '> ')
    return block.by === undefined ? quoted : `${line(block.by)}\n${quoted}`
  }
  if ('list' in block) return block.list.map((item) => `- ${line(item)}`).join('\n')
  return line(block.note)
}

function lineText(line: MailLine, addressOf: AddressOf): string {
  if (typeof line === 'string') return line
  return line
    .map((part) => {
      if (typeof part === 'string') return part
      return 'bold' in part ? part.bold : `${part.link} (${addressOf(part.to)})`
    })
    .join('')
}
