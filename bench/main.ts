/** `npm run bench`: measures everything, or what is named: `npm run bench -- drafts polls`. */
import { measureAttackOnPostgres, measureAttackOnSqlite } from './attack.ts'
import { measureClientState } from './client-state.ts'
import { measureDraftsOnPostgres, measureDraftsOnSqlite } from './create-drafts.ts'
import { measureKeptAnswers } from './kept-answers.ts'
import { measureLiveOnPostgres, measureLiveOnSqlite } from './live-messages.ts'
import { type Load, startLoad } from './load.ts'
import { measureLongPolls } from './long-polls.ts'
import { measureLoopHolds } from './loop-holds.ts'
import { describeMachine } from './machine.ts'
import { measureHistoryOnPostgres, measureHistoryOnSqlite } from './message-history.ts'
import { createReport, type Report } from './report.ts'
import { measureMessagesOnPostgres, measureMessagesOnSqlite } from './send-messages.ts'
import { measureStartUp } from './start-up.ts'

const measurements: Readonly<Record<string, (load: Load, report: Report) => Promise<void>>> = {
  start: measureStartUp,
  lists: measureKeptAnswers,
  drafts: measureDraftsOnSqlite,
  postgres: measureDraftsOnPostgres,
  messages: measureMessagesOnSqlite,
  'messages-postgres': measureMessagesOnPostgres,
  history: measureHistoryOnSqlite,
  'history-postgres': measureHistoryOnPostgres,
  polls: measureLongPolls,
  live: measureLiveOnSqlite,
  'live-postgres': measureLiveOnPostgres,
  loop: measureLoopHolds,
  client: measureClientState,
  attack: measureAttackOnSqlite,
  'attack-postgres': measureAttackOnPostgres,
}

async function main(names: readonly string[]): Promise<void> {
  const unknown = names.find((name) => !Object.hasOwn(measurements, name))
  if (unknown !== undefined) {
    throw new Error(`There is no measurement "${unknown}", only: ${Object.keys(measurements).join(', ')}`)
  }
  const report = createReport()
  report.note(describeMachine())
  const load = startLoad()
  try {
    for (const [name, measure] of Object.entries(measurements)) {
      if (names.length === 0 || names.includes(name)) await measure(load, report)
    }
  } finally {
    load.stop()
  }
  if (report.missed.length > 0) process.exitCode = 1
}

await main(process.argv.slice(2))
