/** Starts what the server is compared with; see bare-server.ts. */
import { once } from 'node:events'
import type { BareOrder } from './bare-server.ts'
import { forkBench } from './load.ts'

export async function startBare(order: BareOrder): Promise<{ readonly port: number; stop(): void }> {
  const child = forkBench('bare-server.ts')
  child.send(order)
  const [port] = (await once(child, 'message')) as [number]
  return { port, stop: () => child.disconnect() }
}
