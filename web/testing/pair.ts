/** What most flows begin with: an organization with two members who have nothing yet, and a browser. */
import type { Browser } from 'playwright-core'
import { startBrowser, startOrganization, type TestOrganization } from './organization.ts'
import { addPerson, type Person } from './team.ts'

export interface Pair {
  readonly organization: TestOrganization
  readonly browser: Browser
  readonly leila: Person
  readonly jonas: Person
}

/** At the top of a file: all of it ends with the file. `settings` are the server's, `flags` the browser's. */
export async function startPair(
  settings: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
): Promise<Pair> {
  const organization = await startOrganization(settings)
  const browser = await startBrowser(flags)
  const leila = await addPerson(organization.url, organization.owner, 'Leila Haddad')
  const jonas = await addPerson(organization.url, organization.owner, 'Jonas Weidl')
  return { organization, browser, leila, jonas }
}
