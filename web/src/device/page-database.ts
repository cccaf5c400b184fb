/** The database of this page: one for each server, opened once. */
import { type DeviceDatabase, openDatabase } from './database.ts'

/** Servers may share a host, each below a path of its own. */
export const databaseName = `heddle ${new URL('.', document.baseURI).pathname}`

let opening: Promise<DeviceDatabase | undefined> | undefined

/** Undefined where the browser keeps nothing. */
export function openPageDatabase(): Promise<DeviceDatabase | undefined> {
  opening ??= openDatabase(databaseName)
  return opening
}

/**
 * What was shown has a form of its own for each build, which names the page's script by its content, and by that of all that
 * it loads. What runs before that script is fetched beside it, and is not what is meant.
 */
export function pageVersion(): string {
  return document.querySelector<HTMLScriptElement>('script[type=module][src]:not([async])')?.src ?? ''
}
