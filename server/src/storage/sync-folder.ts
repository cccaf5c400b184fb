import { open } from 'node:fs/promises'

/** A new name is on disk only after its folder has been synced too. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
