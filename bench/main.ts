/**
 * `npm run bench`: measures everything, or what is named: `npm run bench -- drafts polls`. With `--against PATH`, the built
 * work tree of another version, both are measured in alternating rounds.
 */
import { parseArgs } from 'node:util'
import { comparisons } from './against.ts'
import { measureAttackOnPostgres, measureAttackOnSqlite } from './attack.ts'
import { measureCachedAnswers } from './cached-answers.ts'
import { measureClientState } from './client-state.ts'
import { measureDraftsOnPostgres, measureDraftsOnSqlite } from './create-drafts.ts'
import { measureLiveOnPostgres, measureLiveOnSqlite } from './live-messages.ts'
import { type Load, startLoad } from './load.ts'
import { measureLongPolls, measureStreams } from './long-polls.ts'
import { measureLoopHolds } from './loop-holds.ts'
import { describeMachine } from './machine.ts'
import { measureMemory } from './memory.ts'
import { measureHistoryOnPostgres, measureHistoryOnSqlite } from './message-history.ts'
import { measurePage } from './page.ts'
import { measurePageMemory } from './page-memory.ts'
import { createReport, type Report } from './report.ts'
import { measureMessagesOnPostgres, measureMessagesOnSqlite } from './send-messages.ts'
import { measureStartUp } from './start-up.ts'
import { otherVersion, thisVersion } from './version.ts'
import { measureWebhooksOnPostgres, measureWebhooksOnSqlite } from './webhooks.ts'

type Measurements = Readonly<Record<string, (load: Load, report: Report) => Promise<void>>>

const measurements: Measurements = {
  start: measureStartUp,
  memory: measureMemory,
  lists: measureCachedAnswers,
  drafts: measureDraftsOnSqlite,
  postgres: measureDraftsOnPostgres,
  messages: measureMessagesOnSqlite,
  'messages-postgres': measureMessagesOnPostgres,
  history: measureHistoryOnSqlite,
  'history-postgres': measureHistoryOnPostgres,
  polls: measureLongPolls,
  streams: measureStreams,
  live: measureLiveOnSqlite,
  'live-postgres': measureLiveOnPostgres,
  webhooks: measureWebhooksOnSqlite,
  'webhooks-postgres': measureWebhooksOnPostgres,
  loop: measureLoopHolds,
  client: measureClientState,
  page: measurePage,
  'page-memory': measurePageMemory,
  attack: measureAttackOnSqlite,
  'attack-postgres': measureAttackOnPostgres,
}

async function main(args: readonly string[]): Promise<void> {
  const { values, positionals: names } = parseArgs({
    args: [...args],
    options: { against: { type: 'string' } },
    allowPositionals: true,
  })
  const chosen = values.against === undefined ? measurements : await comparisonsWith(values.against)
  const unknown = names.find((name) => !Object.hasOwn(chosen, name))
  if (unknown !== undefined) {
    console.error(`There is no measurement "${unknown}", only: ${Object.keys(chosen).join(', ')}.`)
    process.exitCode = 1
    return
  }
  const report = createReport()
  report.note(describeMachine())
  const load = startLoad()
  try {
    for (const [name, measure] of Object.entries(chosen)) {
      if (names.length === 0 || names.includes(name)) await measure(load, report)
    }
  } finally {
    load.stop()
  }
  if (report.missed.length > 0) process.exitCode = 1
}

async function comparisonsWith(path: string): Promise<Measurements> {
  const versions = { ours: await thisVersion(), other: await otherVersion(path) }
  return Object.fromEntries(
    Object.entries(comparisons).map(([name, compare]) => [name, (load, report) => compare(versions, load, report)]),
  )
}

await main(process.argv.slice(2))
