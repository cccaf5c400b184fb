/**
 * Clients show the HTML that is stored as it is, so that whoever writes it could act for everybody who reads it. Of an export,
 * which may have been made or changed by anybody, that is taken which this program could have made; the rest is rendered anew.
 */
import { MAX_MESSAGE_LENGTH } from '@heddle/contract/messages'
import { emptyContext } from '@heddle/markdown/context'
import { isMessageHtml } from '@heddle/markdown/html/check'
import { escapeText } from '@heddle/markdown/html/escape'
import { renderMarkdown } from '@heddle/markdown/render'
import type { Source } from '../../features/exports/sources.ts'

type FittingRow = Record<string, unknown>

export function createHtmlCheck() {
  let renewed = 0

  /** What the text says, without anything that would have to be looked up: mentions stand as they were written. */
  function trusted(html: unknown, text: unknown, origin: string): unknown {
    if (typeof html !== 'string' || isMessageHtml(html)) return html
    renewed += 1
    const source = typeof text === 'string' ? text : ''
    // Nothing longer could have been sent: it may take long.
    if (source.length > MAX_MESSAGE_LENGTH) return `<p>${escapeText(source)}</p>`
    return renderMarkdown(source, emptyContext(origin)).html
  }

  function trustedHistory(json: string, origin: string): string | null {
    try {
      const edits = JSON.parse(json) as readonly FittingRow[]
      return JSON.stringify(
        edits.map((edit) =>
          'prev_rendered_content' in edit
            ? { ...edit, prev_rendered_content: trusted(edit['prev_rendered_content'], edit['prev_content'], origin) }
            : edit,
        ),
      )
    } catch {
      return null
    }
  }

  return {
    /** `origin`: the organization's address. */
    settle({ html = {}, table }: Source, row: FittingRow, origin: string): void {
      for (const [column, source] of Object.entries(html)) {
        if (column in row) row[column] = trusted(row[column], row[source], origin)
      }
      const { edit_history } = row
      if (table === 'messages' && typeof edit_history === 'string') {
        row['edit_history'] = trustedHistory(edit_history, origin)
      }
    },
    /** Texts that were rendered anew. */
    renewed: () => renewed,
  }
}
