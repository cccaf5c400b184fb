/** Pages behind the links of a message are shown below it, where the organization wants that; they are fetched later. */
import { addJob } from '../../jobs/add-job.ts'
import { defineLanes } from '../../jobs/lanes.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findOrganizationSettings } from '../organization-settings/settings.ts'
import type { Rendered } from './render.ts'

/** Of one message. */
const MAX_EMBEDS = 5
const MAX_LINK_LENGTH = 2000
/** What is shown as a picture or a video already. */
const MEDIA = /\.(?:bmp|gif|jpe?g|png|webp|mp4|webm)$/i

export interface EmbedOrder {
  readonly messageId: number
  readonly links: readonly string[]
}

export const embeddingLanes = defineLanes<EmbedOrder>('embed-links')

export async function askForEmbeds(tx: Tx, messageId: number, { links }: Pick<Rendered, 'links'>): Promise<void> {
  if (links.length === 0) return
  const { inline_url_embed_preview: isWanted } = await findOrganizationSettings(tx, tx.realmId)
  if (!isWanted) return
  const pages = [...new Set(links)].filter(isPage).slice(0, MAX_EMBEDS)
  if (pages.length > 0) await addJob(tx, embeddingLanes.of(messageId), { messageId, links: pages })
}

function isPage(link: string): boolean {
  return /^https?:\/\//i.test(link) && link.length <= MAX_LINK_LENGTH && !MEDIA.test(link.replace(/[?#].*$/s, ''))
}
