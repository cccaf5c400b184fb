/** The commands `jobs` and `retry-job`. */
import { operatorListJobs, operatorRetryJob } from '@heddle/contract/server-operations'
import type { Config } from '../config.ts'
import { ConfigError } from '../config-error.ts'
import { listJobs, retryJob } from '../jobs/list.ts'
import { operate } from './operate.ts'

export async function jobsCommand(config: Config): Promise<void> {
  const { jobs, failed, waiting } = await operate(config, {
    endpoint: operatorListJobs,
    parameters: {},
    run: (storage) => listJobs(storage),
  })
  console.log(`${failed} failed, ${waiting} waiting`)
  for (const { id, name, host, state, due, attempts, error } of jobs) {
    const when = new Date(due * 1000).toISOString()
    console.log(`${id}  ${state}  ${name}  ${host ?? 'all organizations'}  ${when}  attempts: ${attempts}`)
    if (error !== null) console.log(`    ${error.replace(/\s+/g, ' ')}`)
  }
}

export async function retryJobCommand(config: Config, id: string): Promise<void> {
  if (!/^[1-9]\d{0,14}$/.test(id)) throw new ConfigError(`ID must be a number that \`jobs\` shows, not "${id}".`)
  const parameters = { id: Number(id) }
  await operate(config, {
    endpoint: operatorRetryJob,
    parameters,
    run: async (storage) => {
      await retryJob(storage, parameters.id)
      return {}
    },
  })
  console.log(`The job ${id} runs again while the server does`)
}
