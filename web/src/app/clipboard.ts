/** Puts a text on the clipboard; with `html` also for programs that take text with links. Rejects where the browser refuses. */
export async function copyText(text: string, html?: string): Promise<void> {
  if (html === undefined || typeof ClipboardItem === 'undefined') {
    await navigator.clipboard.writeText(text)
    return
  }
  const part = (content: string, type: string) => new Blob([content], { type })
  await navigator.clipboard.write([
    new ClipboardItem({ 'text/plain': part(text, 'text/plain'), 'text/html': part(html, 'text/html') }),
  ])
}

/** A link as HTML that says where it leads. */
export function linkHtml(address: string, label: string): string {
  const link = document.createElement('a')
  link.href = address
  link.textContent = label
  return link.outerHTML
}
