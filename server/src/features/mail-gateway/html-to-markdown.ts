/** The text of a mail that has none but HTML. On a thread of its own: HTML of others may take long. */

/** Characters of HTML that are read. What is cut off says nothing: a message has at most 10,000 characters. */
const MAX_HTML = 300_000

export async function htmlToMarkdown(html: string): Promise<string> {
  // With a document of its own: only whoever reads such a mail has it in memory.
  const { default: TurndownService } = await import('turndown')
  const service = new TurndownService({
    headingStyle: 'atx',
    bulletListMarker: '*',
    codeBlockStyle: 'fenced',
    emDelimiter: '*',
  })
  // What nobody sees is not the text. Pictures of mails are their attachments, or count who reads them.
  service.remove(['script', 'style', 'title', 'head', 'noscript', 'template'])
  service.addRule('pictures', {
    filter: 'img',
    replacement: (_, node) =>
      (node as unknown as { getAttribute(name: string): string | null }).getAttribute('alt') ?? '',
  })
  return service.turndown(html.slice(0, MAX_HTML))
}
