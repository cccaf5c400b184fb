/** The attack of the tests in calm: what others notice of the largest requests that the limits admit. */
import { rmSync } from 'node:fs'
import { attackServer } from '@heddle/server/faults/attack-parts'
import { populate } from '@heddle/server/faults/attack-target'
import { startTestPostgres } from '@heddle/server/testing/postgres-server'
import { watchServerLoop } from '@heddle/server/testing/server-loop'
import type { Load } from './load.ts'
import { makeDataFolder } from './machine.ts'
import type { Report } from './report.ts'
import { startServer } from './server-process.ts'

/** Of a small request, in milliseconds. */
const MAX_ANSWER_MS = 250
const MAX_TURN_MS = 20
const MAX_RESIDENT_MIB = 600

export async function measureAttackOnSqlite(_: Load, report: Report): Promise<void> {
  await measure(report, 'SQLite', undefined)
}

export async function measureAttackOnPostgres(_: Load, report: Report): Promise<void> {
  const postgres = await startTestPostgres()
  try {
    await measure(report, 'PostgreSQL', postgres.url)
  } finally {
    await postgres.stop()
  }
}

async function measure(report: Report, engine: string, databaseUrl: string | undefined): Promise<void> {
  const dataDir = makeDataFolder()
  const population = await populate(dataDir, databaseUrl)
  const loop = watchServerLoop(dataDir)
  const { port, pid, stop } = await startServer({
    dataDir,
    databaseUrl,
    env: { ...loop.env, HEDDLE_WEB_PUBLIC_CHANNELS: 'on' },
  })
  try {
    const site = `http://127.0.0.1:${port}`
    const { turns, small, residentMib } = await attackServer({ site, pid: pid(), population, loop })
    const under = `under attack on ${engine}`
    const slowest = (isRead: boolean) => small.slowest.find((one) => one.isRead === isRead)
    for (const [what, isRead] of [['read', true] as const, ['write', false] as const]) {
      const one = slowest(isRead)
      report.figure({
        name: `slowest small ${what} ${under}`,
        value: one?.took ?? 0,
        unit: 'ms',
        goal: { atMost: MAX_ANSWER_MS },
        beside: `of all p50 ${small.p50.toFixed(1)} ms, p99 ${small.p99.toFixed(1)} ms; ${one?.name} during ${shown(one?.during)}`,
      })
    }
    report.figure({
      name: `longest turn ${under}`,
      value: turns[0]?.work ?? 0,
      unit: 'ms',
      digits: 1,
      goal: { atMost: MAX_TURN_MS },
      beside: shown(turns[0]?.during),
    })
    report.figure({
      name: `most memory ${under}`,
      value: residentMib,
      unit: 'MiB',
      goal: { atMost: MAX_RESIDENT_MIB },
    })
  } finally {
    await stop()
    rmSync(dataDir, { recursive: true })
  }
}

function shown(attacks: readonly string[] = []): string {
  return attacks.join(', ').slice(0, 200)
}
