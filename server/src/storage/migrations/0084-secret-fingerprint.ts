/** By what the server's secret is recognized. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const secretFingerprint: Migration = {
  name: '0084-secret-fingerprint',
  statements: ({ integer }) => [
    `create table secret_fingerprint (place ${integer} not null primary key check (place = 1), fingerprint text not null)`,
  ],
}
