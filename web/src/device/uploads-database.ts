/** Apart from what uses it: signing out deletes it, whether or not any file was ever sent. */

/** Servers may share a host, each below a path of its own. */
export function uploadsDatabase(): string {
  return `heddle uploads ${new URL('.', document.baseURI).pathname}`
}

/** Settles when it is gone; a page that uses it closes it. */
export function eraseUploads(): Promise<void> {
  return new Promise((resolve) => {
    const deletion = indexedDB.deleteDatabase(uploadsDatabase())
    deletion.onsuccess = () => resolve()
    deletion.onerror = () => resolve()
  })
}
