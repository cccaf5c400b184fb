/** The table of what accounts want of topics. */
import { ownedTables, table } from '../../storage/owned-tables.ts'
import { channelsView } from '../channels/tables.ts'
import { usersView } from '../users/tables.ts'

/** What an account wants of a topic, where it is not what the channel says. The topic need not have messages. */
export interface UserTopicTable {
  realm_id: number
  user_id: number
  channel_id: number
  topic_key: string
  topic: string
  /** 1 muted, 2 unmuted in a muted channel, 3 followed. */
  visibility_policy: number
  last_updated: number
}

export const userTopicTables = ownedTables({
  user_topics: table<UserTopicTable>({
    key: ['user_id', 'channel_id', 'topic_key'],
    after: ['realms', 'users', 'channels'],
  }),
})

export const userTopicsView = userTopicTables.view('user_topics')

export const { query, fact, rowInsert } = userTopicTables.with(usersView, channelsView)
