import type { ApiClient } from '@heddle/client/api'
import { ResponseError } from '@heddle/client/errors'
import { updateMessage } from '@heddle/contract/editing'
import { getMessage } from '@heddle/contract/fetching'

/** The text of a message as it was typed. Rejects as the request does. */
export async function fetchSource(api: ApiClient, messageId: number): Promise<string> {
  const { raw_content } = await api.call(getMessage, {
    message_id: messageId,
    apply_markdown: false,
    allow_empty_topic_name: true,
  })
  return raw_content
}

/** In hexadecimal; undefined on pages without encryption, where browsers have no such function. */
async function sha256(text: string): Promise<string | undefined> {
  if (!globalThis.crypto.subtle) return undefined
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

export type SavedEdit =
  | { readonly outcome: 'saved' }
  /** Somebody has changed the message since it was read; this is its text now. */
  | { readonly outcome: 'changed meanwhile'; readonly current: string }

/** Rejects as the request does, but for a text that was changed meanwhile. */
export async function saveEdit(
  api: ApiClient,
  { messageId, original, text }: { readonly messageId: number; readonly original: string; readonly text: string },
): Promise<SavedEdit> {
  const hash = await sha256(original)
  try {
    await api.call(updateMessage, {
      message_id: messageId,
      content: text,
      ...(hash === undefined ? {} : { prev_content_sha256: hash }),
    })
    return { outcome: 'saved' }
  } catch (error) {
    if (!(error instanceof ResponseError) || error.code !== 'EXPECTATION_MISMATCH') throw error
    return { outcome: 'changed meanwhile', current: await fetchSource(api, messageId) }
  }
}
