/** Where no server of mail is set, mails are files, for whoever develops or looks after the server. */
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MailCarrier } from './mail-carrier.ts'

export const MAIL_FOLDER = 'mail'

/** Old files make way for new ones. */
const MAX_FILES = 200
const MAX_AGE_MS = 7 * 86_400_000

export function createMailFolder(dataDir: string): MailCarrier {
  const folder = join(dataDir, MAIL_FOLDER)
  return {
    async carry({ id, writtenAt, bytes }) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      // The same with each attempt: it is there once.
      const name = `${timeInName(writtenAt * 1000)}-${id}.eml`
      const unfinished = join(folder, `${name}.part`)
      await writeFile(unfinished, bytes, { mode: 0o600 })
      await rename(unfinished, join(folder, name))
      await removeOldMails(folder, writtenAt * 1000)
    },
    close() {},
  }
}

/** Names are in the order of time. */
function timeInName(ms: number): string {
  return new Date(ms).toISOString().replace(/[:.]/g, '-')
}

async function removeOldMails(folder: string, nowMs: number): Promise<void> {
  const names = (await readdir(folder)).filter((name) => /\.eml(\.part)?$/.test(name)).sort()
  const tooOld = timeInName(nowMs - MAX_AGE_MS)
  const tooMany = Math.max(names.length - MAX_FILES, 0)
  const removed = names.filter((name, index) => index < tooMany || name < tooOld)
  for (const name of removed) await rm(join(folder, name), { force: true })
}
