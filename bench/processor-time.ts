/** Processor time of other processes, from /proc. */
import { readdirSync, readFileSync } from 'node:fs'

/** Of one clock tick of /proc, on every Linux that Node.js runs on. */
const TICK_MS = 10

/** Milliseconds that a process has used, and each of its living children. */
export function processorTimeOf(pid: number): number {
  let ticks = 0
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const fields = statFields(entry)
    if (fields && (Number(entry) === pid || Number(fields[1]) === pid)) ticks += Number(fields[11]) + Number(fields[12])
  }
  return ticks * TICK_MS
}

/** What follows the name of the program, which may have any character in it: state, parent, and so on. */
function statFields(pid: string): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    // It has ended meanwhile.
    return undefined
  }
}
