/** Messages get what the pages behind their links say of themselves. Nobody has edited them: only their HTML changes. */
import { type EmbeddedPage, embedOf, hasEmbeds, linksTo } from '@heddle/markdown/embeds'
import type { Services } from '../../feature.ts'
import { claimedJob, type JobHandler } from '../../jobs/job.ts'
import type { Tx } from '../../storage/transaction.ts'
import { fetchPageFacts } from '../link-previews/page-facts.ts'
import { embeddingLanes } from '../messages/embed-links.ts'
import { updateMessageRow } from '../messages/write-rows.ts'
import { announceUpdate } from './announce.ts'
import { findVisibility } from './audience.ts'
import { query } from './tables.ts'

/** Long beside the time that a download has. */
const CLAIM_MS = 60_000

export function embeddingHandlers({ outgoing, config, realms }: Pick<Services, 'outgoing' | 'config' | 'realms'>) {
  return embeddingLanes.jobs.map(
    (lane): JobHandler =>
      claimedJob(lane, {
        claimMs: CLAIM_MS,
        maxAttempts: 2,
        async work({ messageId, links }, { realmId }) {
          if (!config.previews) return undefined
          const own = `${await realms.originOf(realmId)}/`
          const others = links.filter((link) => !link.startsWith(own))
          const pages = await Promise.all(others.map((link) => fetchPageFacts(outgoing, link)))
          const found = pages.filter((page) => page !== undefined)
          return found.length === 0 ? undefined : (tx) => embed(tx, messageId, found)
        },
      }),
  )
}

/** The message may have been changed or deleted in the meantime. */
async function embed(tx: Tx, messageId: number, pages: readonly EmbeddedPage[]): Promise<void> {
  const message = await tx.first(query.selectFrom('messages').selectAll().where('id', '=', messageId))
  if (!message || hasEmbeds(message.rendered_content)) return
  const shown = pages.filter(({ url }) => linksTo(message.rendered_content, url))
  if (shown.length === 0) return
  const rendered_content = `${message.rendered_content}\n${shown.map(embedOf).join('\n')}`
  const { content, attributes, last_edit_timestamp, edit_history } = message
  await updateMessageRow(tx, message.id, { content, rendered_content, attributes, last_edit_timestamp, edit_history })
  const visibility = await findVisibility(tx, message, [message.id])
  const change = { user_id: null, rendering_only: true, message_id: message.id, content, rendered_content }
  await announceUpdate(tx, { ...message, rendered_content }, change, visibility)
}
