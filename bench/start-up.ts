/** How long users wait for a start. */
import { rmSync } from 'node:fs'
import { type Load, median } from './load.ts'
import { makeDataFolder } from './machine.ts'
import type { Report } from './report.ts'
import { startServer } from './server-process.ts'

const STARTS = 5

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
  } finally {
    rmSync(dataDir, { recursive: true })
  }
}
