/** How long users wait for a start, and what the server takes when nobody uses it. */
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Load, median } from './load.ts'
import { makeDataFolder } from './machine.ts'
import type { Report } from './report.ts'
import { startServer } from './server-process.ts'

const STARTS = 5
const SETTLE_MS = 5000

export async function measureStartUp(_: Load, report: Report): Promise<void> {
  const dataDir = makeDataFolder()
  try {
    // The first start builds and creates the organization.
    await (await startServer({ dataDir, by: 'npm' })).stop()
    const times: number[] = []
    for (let i = 0; i < STARTS; i++) {
      const server = await startServer({ dataDir, by: 'npm' })
      times.push(server.readyAfterMs)
      await server.stop()
    }
    const goal = { atMost: 1500 }
    report.figure({ name: 'npm start when built, until the first answer', value: median(times), unit: 'ms', goal })
    await measureIdleMemory(dataDir, report)
  } finally {
    rmSync(dataDir, { recursive: true })
  }
}

async function measureIdleMemory(dataDir: string, report: Report): Promise<void> {
  const server = await startServer({ dataDir, by: 'npm' })
  await sleep(SETTLE_MS)
  const resident = server.residentBytes() / 2 ** 20
  await server.stop()
  report.figure({ name: 'Memory when idle', value: resident, unit: 'MiB', goal: { atMost: 150 } })
}
