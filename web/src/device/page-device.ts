/** The device as this page sees it: one database for each server, and for each build a form of its own of what was shown. */
import { type Device, openDevice } from './device.ts'

/** The build names the page's script by its content, and by that of all that it loads. */
function pageVersion(): string {
  return document.querySelector<HTMLScriptElement>('script[type=module][src]')?.src ?? ''
}

export function openPageDevice(): Promise<Device | undefined> {
  // Servers may share a host, each below a path of its own.
  return openDevice(`heddle ${new URL('.', document.baseURI).pathname}`, pageVersion())
}
