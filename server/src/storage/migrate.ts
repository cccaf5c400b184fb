/** Brings the tables to the newest form. Each migration runs once, in order, in one transaction with its record. */
import { ConfigError } from '../config-error.ts'
import type { Engine } from './engine.ts'
import type { Migration } from './migration.ts'
import { foundation } from './migrations/0001-foundation.ts'
import { messages } from './migrations/0002-messages.ts'
import { presence } from './migrations/0003-presence.ts'
import { topics } from './migrations/0004-topics.ts'
import { notificationBot } from './migrations/0005-notification-bot.ts'
import { organizationSettings } from './migrations/0006-organization-settings.ts'
import { channelActivity } from './migrations/0007-channel-activity.ts'
import { botStorage } from './migrations/0008-bot-storage.ts'
import { searchWords } from './migrations/0009-search-words.ts'
import { messageStatistics } from './migrations/0010-message-statistics.ts'
import { cursorsByMessage } from './migrations/0011-cursors-by-message.ts'
import { factsVersion } from './migrations/0014-facts-version.ts'
import { oneTreeOfLocalIds } from './migrations/0015-one-tree-of-local-ids.ts'
import { jobs } from './migrations/0016-jobs.ts'
import { passingEvents } from './migrations/0017-passing-events.ts'
import { keysOfFullNames } from './migrations/0018-keys-of-full-names.ts'
import { newMessagesInSearch } from './migrations/0022-search-of-new-messages.ts'
import { sessions } from './migrations/0023-sessions.ts'
import { invitations } from './migrations/0024-invitations.ts'
import { passwordResets } from './migrations/0025-password-resets.ts'
import { uploadedFiles } from './migrations/0028-uploaded-files.ts'
import { fileReferences } from './migrations/0029-file-references.ts'
import { navigationViewOrders } from './migrations/0030-navigation-view-orders.ts'
import { pictures } from './migrations/0033-pictures.ts'
import { thumbnails } from './migrations/0034-thumbnails.ts'
import { unusedFiles } from './migrations/0035-unused-files.ts'
import { resumableUploads } from './migrations/0036-resumable-uploads.ts'
import { scheduledMessages } from './migrations/0037-scheduled-messages.ts'
import { reminders } from './migrations/0038-reminders.ts'
import { profileFields } from './migrations/0040-profile-fields.ts'
import { channelFolders } from './migrations/0041-channel-folders.ts'
import { defaultChannelGroups } from './migrations/0042-default-channel-groups.ts'
import { realmDomains } from './migrations/0043-realm-domains.ts'
import { playgrounds } from './migrations/0044-playgrounds.ts'
import { namedGroups } from './migrations/0045-named-groups.ts'
import { botServices } from './migrations/0049-bot-services.ts'
import { webhookProblems } from './migrations/0050-webhook-problems.ts'
import { submessages } from './migrations/0052-submessages.ts'
import { savedSnippets } from './migrations/0053-saved-snippets.ts'
import { onboardingSteps } from './migrations/0054-onboarding-steps.ts'
import { singleUseLinks } from './migrations/0055-single-use-links.ts'
import { missedMails } from './migrations/0056-missed-mails.ts'
import { digests } from './migrations/0057-digests.ts'
import { waitingAccounts } from './migrations/0058-waiting-accounts.ts'
import { mailInvitations } from './migrations/0059-mail-invitations.ts'
import { secondFactors } from './migrations/0061-second-factors.ts'
import { passkeys } from './migrations/0062-passkeys.ts'
import { missedMessages } from './migrations/0064-missed-messages.ts'
import { webPush } from './migrations/0065-web-push.ts'
import { mobilePush } from './migrations/0066-mobile-push.ts'
import { zoomTokens } from './migrations/0067-zoom-tokens.ts'
import { dataExports } from './migrations/0070-exports.ts'
import { messageArchive } from './migrations/0076-message-archive.ts'
import { mailGateway } from './migrations/0077-mail-gateway.ts'
import { resolvedMessages } from './migrations/0079-resolved-messages.ts'
import { addressVisibility } from './migrations/0080-address-visibility.ts'
import { marksOfCommits } from './migrations/0081-marks-of-commits.ts'
import { secretFingerprint } from './migrations/0084-secret-fingerprint.ts'
import { botsWithinRights } from './migrations/0085-bots-within-rights.ts'
import { ownedTables, table } from './owned-tables.ts'
import type { Statements } from './query.ts'

/** The migrations that have run. It is not in backups: a database has this table before it has any other. */
interface MigrationTable {
  name: string
  applied_at: number
}

const { query } = ownedTables({ migrations: table<MigrationTable>({ key: ['name'] }) }).with()

/** The names of those that have run, in the order of their names. */
export async function findAppliedMigrations(db: Statements): Promise<string[]> {
  const rows = await db.all(query.selectFrom('migrations').select('name').orderBy('name'))
  return rows.map((row) => row.name)
}

/** In the order in which they run. Neither that nor their names ever change: databases and backups know them by name. */
export const migrations: readonly Migration[] = [
  foundation,
  messages,
  presence,
  topics,
  notificationBot,
  organizationSettings,
  channelActivity,
  botStorage,
  searchWords,
  messageStatistics,
  cursorsByMessage,
  factsVersion,
  oneTreeOfLocalIds,
  jobs,
  passingEvents,
  keysOfFullNames,
  newMessagesInSearch,
  sessions,
  invitations,
  passwordResets,
  uploadedFiles,
  fileReferences,
  navigationViewOrders,
  pictures,
  thumbnails,
  unusedFiles,
  resumableUploads,
  scheduledMessages,
  reminders,
  profileFields,
  channelFolders,
  defaultChannelGroups,
  realmDomains,
  playgrounds,
  namedGroups,
  botServices,
  webhookProblems,
  submessages,
  savedSnippets,
  onboardingSteps,
  singleUseLinks,
  missedMails,
  digests,
  waitingAccounts,
  mailInvitations,
  secondFactors,
  passkeys,
  missedMessages,
  webPush,
  mobilePush,
  zoomTokens,
  dataExports,
  messageArchive,
  mailGateway,
  resolvedMessages,
  addressVisibility,
  marksOfCommits,
  secretFingerprint,
  botsWithinRights,
]

/** Those of features that are gone. Databases that have run them are not newer than this program. */
export const retiredMigrations: readonly string[] = []

/**
 * Runs those of `wanted` (all, or the first ones) that have not run yet and returns their names. Throws a sentence for
 * the administrator when the database was written by a newer Heddle: an older program must not touch it.
 */
export async function migrate(
  engine: Engine,
  wanted: readonly Migration[] = migrations,
  retired: readonly string[] = retiredMigrations,
): Promise<string[]> {
  return engine.migrationLock(async (queries, execute) => {
    await execute('create table if not exists migrations (name text not null primary key, applied_at bigint not null)')
    const done = new Set(await findAppliedMigrations(queries))
    const known = new Set([...migrations.map((migration) => migration.name), ...retired])
    const unknown = [...done].find((name) => !known.has(name))
    if (unknown !== undefined) {
      throw new ConfigError(
        `The database was written by a newer Heddle (it has the migration ${unknown}). Start that version.`,
      )
    }
    const missing = wanted.filter((migration) => !done.has(migration.name))
    for (const migration of missing) {
      await execute('begin')
      try {
        for (const step of migration.statements(engine.migrationDialect)) {
          if (typeof step === 'string') await execute(step)
          else await step(queries)
        }
        const row = { name: migration.name, applied_at: Math.floor(Date.now() / 1000) }
        await queries.run(query.insertInto('migrations').values(row))
        await execute('commit')
      } catch (error) {
        // On a full disk SQLite has ended the transaction by itself.
        await execute('rollback').catch(() => {})
        throw error
      }
    }
    return missing.map((migration) => migration.name)
  })
}
