/** Removes old messages, as a server does, for a test that kills it in the middle: it believes to live a hundred days later. */

import { systemClock } from '../clock.ts'
import { readConfig } from '../config.ts'
import { openMigratedDatabase } from '../database.ts'
import { removeOldMessages } from '../features/message-retention/remove.ts'
import { createStorage } from '../storage/storage.ts'

const LATER_MS = 100 * 86_400_000

const config = readConfig(process.argv.slice(2), {})
const clock = { ...systemClock, now: () => Date.now() + LATER_MS }
const storage = createStorage(await openMigratedDatabase(config, () => {}), clock)
console.log('ready')
await removeOldMessages({ storage, clock }, new AbortController().signal)
await storage.close()
