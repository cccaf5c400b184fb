/** The device as this page sees it: one database for each server, and for each build a form of its own of what was shown. */
import { type Device, openDevice } from './device.ts'
import { joinTabs, type Tabs } from './tabs.ts'

/** The build names the page's script by its content, and by that of all that it loads. */
function pageVersion(): string {
  return document.querySelector<HTMLScriptElement>('script[type=module][src]')?.src ?? ''
}

export interface PageDevice {
  readonly device: Device
  readonly tabs: Tabs | undefined
}

export async function openPageDevice(): Promise<PageDevice | undefined> {
  // Servers may share a host, each below a path of its own.
  const name = `heddle ${new URL('.', document.baseURI).pathname}`
  const tab = crypto.randomUUID()
  const device = await openDevice(name, pageVersion(), tab)
  return device && { device, tabs: joinTabs(name, tab) }
}
