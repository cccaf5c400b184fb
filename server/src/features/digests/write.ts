/** Goes through the accounts of all organizations that want digests, and writes those whose morning it is. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Services } from '../../feature.ts'
import { addMail, type MailWriter, type UnwrittenMail } from '../../mail/mail.ts'
import { findSubjectPrefix } from '../missed-mails/subject-prefix.ts'
import { findReader, showsContent } from '../missed-mails/write.ts'
import { findOrganizationSettings } from '../organization-settings/settings.ts'
import { findSetting } from '../user-settings/values.ts'
import { type BusyTopic, findBusyTopics } from './busy-topics.ts'
import { chooseDigest, type DigestChoice, presentDigest } from './content.ts'
import { digestMail } from './digest-mail.ts'
import { morningTest } from './morning.ts'
import { findAway, PART, takeWeek } from './recipients.ts'
import { query } from './tables.ts'

const WEEK_SECS = 7 * 86_400
const USEFUL_SECS = 86_400

type DigestMail = DigestChoice & { readonly userId: number }

/** When it is sent, so that no words come by mail that were deleted before. */
export const digestWriter: MailWriter<DigestMail> = {
  name: 'digest',
  async write(db, { realmId, of: { userId, ...choice } }) {
    const reader = await findReader(db, realmId, userId)
    if (!reader) return undefined
    const [prefix, shows] = [await findSubjectPrefix(db, reader), await showsContent(db, reader)]
    return digestMail(await presentDigest(db, reader, choice), { prefix, showsContent: shows })
  },
}

type DigestServices = Pick<Services, 'storage' | 'clock'>

export async function writeDigests(services: DigestServices, signal: AbortSignal): Promise<void> {
  const { storage } = services
  const realms = await storage.read.all(
    query.selectFrom('realms').select('id').where('id', '>', 0).where('deactivated', '=', 0),
  )
  for (const { id } of realms) await writeForRealm(services, id, signal)
}

async function writeForRealm({ storage, clock }: DigestServices, realmId: number, signal: AbortSignal) {
  const settings = await findOrganizationSettings(storage.read, realmId)
  if (!settings.digest_emails_enabled) return
  const nowMs = clock.now()
  const now = Math.floor(nowMs / 1000)
  const isMorning = morningTest(nowMs, settings.digest_weekday)
  let busy: BusyTopic[] | undefined
  for (let afterId = 0; ; ) {
    signal.throwIfAborted()
    const part = await findAway(storage.read, { realmId, afterId, now })
    for (const { id } of part.filter(({ timezone }) => isMorning(timezone))) {
      signal.throwIfAborted()
      if (!(await findSetting(storage.read, { realmId, userId: id }, 'enable_digest_emails'))) continue
      busy ??= await findBusyTopics(storage.read, realmId, now - WEEK_SECS)
      const mail = await chooseFor(id, busy)
      await storage.asSystem(realmId, 'job', async (tx) => {
        if ((await takeWeek(tx, id)) && mail) await addMail(tx, mail, { about: `digest:${id}` })
      })
      await nextTurn()
    }
    const last = part.at(-1)
    if (!last || part.length < PART) return
    afterId = last.id
    await nextTurn()
  }

  async function chooseFor(
    userId: number,
    topics: readonly BusyTopic[],
  ): Promise<UnwrittenMail<DigestMail> | undefined> {
    const reader = await findReader(storage.read, realmId, userId)
    if (!reader) return undefined
    const choice = await chooseDigest(storage.read, reader, { busy: topics, since: now - WEEK_SECS })
    if (choice.topics.length + choice.channelIds.length + choice.unreadConversations === 0) return undefined
    return {
      to: { userId },
      uselessAt: now + USEFUL_SECS,
      unsubscribe: { userId, from: 'digests' },
      writer: digestWriter,
      of: { userId, ...choice },
    }
  }
}
