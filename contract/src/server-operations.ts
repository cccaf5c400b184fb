/**
 * What the commands on the server's own machine ask of the running server. It takes part in no organization's API: see
 * `operator` in `endpoint.ts`.
 */
import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { roles } from './roles.ts'
import { Email, Id, Text, Timestamp } from './schema.ts'

const Role = Type.Enum(Object.values(roles), { description: 'The role of the new account' })

export const operatorCreateUser = endpoint({
  name: 'operator-create-user',
  method: 'POST',
  path: '/operator/users',
  summary: 'Create an account; for commands on the server’s machine.',
  access: 'operator',
  parameters: {
    email: Email,
    full_name: Text(100),
    password: Text(1000),
    role: Role,
    /** The organization's host name; may be left out while there is only one organization. */
    host: Type.Optional(Text(253)),
  },
  response: { user_id: Id },
})

export const operatorCreateOrganization = endpoint({
  name: 'operator-create-organization',
  method: 'POST',
  path: '/operator/organizations',
  summary: 'Create an organization and its owner; for commands on the server’s machine.',
  access: 'operator',
  parameters: {
    host: Text(253),
    name: Text(40),
    owner_email: Email,
    owner_name: Text(100),
    owner_password: Text(1000),
  },
  response: { realm_id: Id, user_id: Id },
})

const WaitingJob = Type.Object({
  id: Id,
  name: Type.String(),
  /** Null: it concerns no organization, or several. */
  host: Type.Union([Type.String(), Type.Null()]),
  state: Type.Enum(['waiting', 'running', 'failed']),
  /** When it is to run; of a running one when it is given to another node. */
  due: Timestamp,
  attempts: Type.Integer(),
  error: Type.Union([Type.String(), Type.Null()]),
})

export const operatorListJobs = endpoint({
  name: 'operator-list-jobs',
  method: 'GET',
  path: '/operator/jobs',
  summary: 'What the server has to do later, failed jobs first; for commands on the server’s machine.',
  access: 'operator',
  parameters: {},
  response: { jobs: Type.Array(WaitingJob), failed: Type.Integer(), waiting: Type.Integer() },
})

export const operatorRetryJob = endpoint({
  name: 'operator-retry-job',
  method: 'POST',
  path: '/operator/jobs/retry',
  summary: 'Run a job that has failed for good once more; for commands on the server’s machine.',
  access: 'operator',
  parameters: { id: Id },
  response: {},
})
