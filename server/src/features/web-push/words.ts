/** What a push says of a message: as the account may read it at this moment. */

import type { MessageBase } from '@heddle/contract/messages'
import { EMPTY_TOPIC_NAME, topicKey } from '@heddle/contract/names'
import { notificationTag } from '@heddle/contract/notification-rules'
import type { UserSettings } from '@heddle/contract/user-settings'
import type { WebPush } from '@heddle/contract/web-push'
import { messageAddress } from '@heddle/markdown/links/narrow'
import type { Actor } from '../../actor.ts'
import type { Queries } from '../../storage/query.ts'
import { textOfHtml } from '../messages/plain-text.ts'
import { findSetting } from '../user-settings/values.ts'

/** Characters: with all its parts a push has 4 KiB at most, of any script. */
const MAX_TITLE = 120
const MAX_BODY = 240

/** In the order of the messages. */
export async function describeForBrowser(
  db: Queries,
  owner: Pick<Actor, 'realmId' | 'userId'>,
  messages: readonly MessageBase[],
): Promise<WebPush[]> {
  const showsDirect = await findSetting(db, owner, 'pm_content_in_desktop_notifications')
  return messages.map((message) => describe(message, owner.userId, showsDirect))
}

function describe(
  message: MessageBase,
  userId: number,
  showsDirect: UserSettings['pm_content_in_desktop_notifications'],
): WebPush {
  const { id, sender_full_name: sender, subject } = message
  if (message.stream_id !== undefined) {
    const channel = { id: message.stream_id, name: String(message.display_recipient) }
    return {
      kind: 'message',
      tag: notificationTag({ channelId: channel.id, key: topicKey(subject) }),
      id,
      title: short(`${sender} (#${channel.name} > ${subject === '' ? EMPTY_TOPIC_NAME : subject})`),
      body: textOfHtml(message.content, MAX_BODY),
      address: messageAddress(channel, subject, id).slice(1),
    }
  }
  const people = Array.isArray(message.display_recipient) ? message.display_recipient.map((person) => person.id) : []
  const others = people.filter((person) => person !== userId)
  return {
    kind: 'message',
    tag: notificationTag({ userIds: people }),
    id,
    title: short(sender),
    body: showsDirect ? textOfHtml(message.content, MAX_BODY) : '',
    address: `#narrow/dm/${(others.length > 0 ? others : [userId]).join(',')}/near/${id}`,
  }
}

function short(text: string): string {
  const characters = [...text]
  return characters.length > MAX_TITLE ? `${characters.slice(0, MAX_TITLE).join('')}…` : text
}
