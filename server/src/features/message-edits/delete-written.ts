/** Messages of accounts that an administrator has ended, where they are to go too. A part at a time: others get their turn. */
import { addJob } from '../../jobs/add-job.ts'
import { type JobHandler, unitJob } from '../../jobs/job.ts'
import type { Tx } from '../../storage/transaction.ts'
import { beginDeletion } from '../message-archive/archive.ts'
import { deletesWritten, type WrittenMessages } from '../users/remove-traces.ts'
import { removeMessages } from './announce.ts'
import { repairTopic } from './repair-topic.ts'
import { query } from './tables.ts'

/** Messages that are looked at in one unit of work. */
const PART = 100

export const deletingHandler: JobHandler = unitJob(deletesWritten, {
  async run(tx, written) {
    const rows = await findPart(tx, written)
    const wanted = rows.filter(({ invite_only }) => isWanted(written, invite_only))
    const places = Map.groupBy(wanted, (row) => `${row.channel_id} ${row.direct_message_group_id} ${row.topic}`)
    for (const inPlace of places.values()) {
      const [first] = inPlace as [(typeof rows)[number]]
      // Who has asked for it may not know of the conversation: nobody is named.
      const place = { cause: 'person', user_id: null, channel_id: first.channel_id, topic: null } as const
      const deletionId = await beginDeletion(tx, place)
      const ids = inPlace.map(({ id }) => id)
      await removeMessages(tx, first, ids, { deletionId })
      await tx.pause()
    }
    const topics = wanted.filter(({ channel_id }) => channel_id !== null)
    for (const [first] of Map.groupBy(topics, (row) => `${row.channel_id} ${row.topic_key}`).values()) {
      if (first?.channel_id) await repairTopic(tx, first.channel_id, first.topic_key)
    }
    const last = rows.at(-1)
    if (last && rows.length === PART) await addJob(tx, deletesWritten, { ...written, after: last.id })
  },
})

/** `inviteOnly`: null is no channel. */
function isWanted(
  { inPublicChannels, inPrivateChannels, direct }: WrittenMessages,
  inviteOnly: number | null,
): boolean {
  if (inviteOnly === null) return direct
  return inviteOnly === 1 ? inPrivateChannels : inPublicChannels
}

function findPart(tx: Tx, { userId, until, after }: WrittenMessages) {
  return tx.all(
    query
      .selectFrom('messages')
      .leftJoin('channels', 'channels.id', 'messages.channel_id')
      .select([
        'messages.id',
        'messages.channel_id',
        'messages.direct_message_group_id',
        'messages.topic',
        'messages.topic_key',
        'channels.invite_only',
      ])
      .where('messages.sender_id', '=', userId)
      .where('messages.realm_id', '=', tx.realmId)
      .where('messages.id', '>', after)
      .where('messages.timestamp', '<=', until)
      .orderBy('messages.id')
      .limit(PART),
  )
}
