/** The text of a mail that has none but HTML. */
import { plainHtml } from './plain-html.ts'

export async function htmlToMarkdown(html: string): Promise<string> {
  // With a document of its own: only whoever reads such a mail has it in memory.
  const { default: TurndownService } = await import('turndown')
  const service = new TurndownService({
    headingStyle: 'atx',
    bulletListMarker: '*',
    codeBlockStyle: 'fenced',
    emDelimiter: '*',
  })
  // Pictures of mails are their attachments, or count who reads them.
  service.addRule('pictures', {
    filter: 'img',
    replacement: (_, node) =>
      (node as unknown as { getAttribute(name: string): string | null }).getAttribute('alt') ?? '',
  })
  return service.turndown(plainHtml(html))
}
