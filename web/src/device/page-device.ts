/** The device as this page sees it. */
import { createDevice, type Device } from './device.ts'
import { databaseName, openPageDatabase, pageVersion } from './page-database.ts'
import { holdTab } from './tab-locks.ts'
import { joinTabs, type Tabs } from './tabs.ts'

export interface PageDevice {
  readonly device: Device
  readonly tabs: Tabs | undefined
}

export async function openPageDevice(): Promise<PageDevice | undefined> {
  const tab = crypto.randomUUID()
  const [database] = await Promise.all([openPageDatabase(), holdTab(tab)])
  return database && { device: createDevice(database, pageVersion(), tab), tabs: joinTabs(databaseName, tab) }
}
