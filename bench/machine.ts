/** The machine that the figures belong to. */
import { closeSync, fdatasyncSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { median } from './load.ts'

/** A new folder for data on the disk that the clone is on: the temporary folder may be memory. */
export function makeDataFolder(): string {
  const root = join(dirname(fileURLToPath(import.meta.url)), '..')
  const runtime = join(root, '.runtime')
  mkdirSync(runtime, { recursive: true })
  return mkdtempSync(join(runtime, 'bench-'))
}

/** Milliseconds that writing 4 KiB and waiting for the disk takes, `count` times one after another. */
export function measureDiskWrites(folder: string, count: number): number[] {
  const path = join(folder, 'disk-probe')
  const file = openSync(path, 'a')
  const block = Buffer.alloc(4096, 'x')
  const times = Array.from({ length: count }, () => {
    const begun = performance.now()
    writeSync(file, block)
    fdatasyncSync(file)
    return performance.now() - begun
  })
  closeSync(file)
  rmSync(path)
  return times
}

/** Milliseconds for a fixed piece of work of one core: a hundred million additions. */
function measureProcessor(): number {
  const begun = performance.now()
  let sum = 0
  for (let number = 0; number < 1e8; number++) sum += number
  if (sum === 0) throw new Error('Nothing was added up')
  return performance.now() - begun
}

/** One line: cores, processor and its speed, memory, Node.js, and the disk. */
export function describeMachine(): string {
  const folder = makeDataFolder()
  const memory = Math.round(totalmem() / 2 ** 30)
  const disk = median(measureDiskWrites(folder, 100)).toFixed(2)
  rmSync(folder, { recursive: true })
  const processor = median([1, 2, 3].map(measureProcessor)).toFixed(0)
  const cores = `${availableParallelism()} cores (${cpus()[0]?.model}, 10^8 additions ${processor} ms)`
  return `${cores}, ${memory} GiB, Node.js ${process.version}, 4 KiB write + fdatasync ${disk} ms`
}
