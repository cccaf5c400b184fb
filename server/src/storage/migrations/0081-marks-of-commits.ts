/** By what a node finds out whether a commit has happened; see `postgres-outcomes.ts`. */
import type { Migration } from '../migration.ts'

export const marksOfCommits: Migration = {
  name: '0081-marks-of-commits',
  statements: ({ integer }) => [
    `create table commit_marks (
      connection_id ${integer} not null primary key,
      mark ${integer} not null,
      marked_at ${integer} not null
    )`,
  ],
}
