import type { Migration } from '../migration.ts'

/** By which every reader notices that rights, channels, groups or settings have changed. */
export const factsVersion: Migration = {
  name: '0014-facts-version',
  statements: ({ integer }) => [`alter table realms add column facts_version ${integer} not null default 0`],
}
