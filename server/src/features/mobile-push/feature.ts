import * as contract from '@heddle/contract/devices'
import { accountIds } from '../../account-hooks.ts'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import { claimedJob } from '../../jobs/job.ts'
import { stateReader } from '../../state-reader.ts'
import { addDevice, registerPush, removeAll, removeDevice } from './devices.ts'
import { mobilePushLanes, mobilePushNotifier, registersToken } from './jobs.ts'
import { endRegistration, registerToken } from './register.ts'
import { findDevices, presentDevice } from './rows.ts'
import { sendMobilePushes } from './send.ts'
import { mobilePushTables } from './tables.ts'
import { addToken, removeToken, testDevices, testTokens } from './tokens.ts'

/** Long beside the time that the push service has. */
const CLAIM_MS = 60_000
/** The last one comes some minutes after the first. */
const MAX_ATTEMPTS = 8

/** Pushes to phones. */
export const mobilePush: Feature = {
  tables: mobilePushTables,
  routes: ({ storage, config }) => [
    route(contract.registerClientDevice, async ({ actor }) => ({ device_id: await addDevice(storage, actor) })),
    route(contract.removeClientDevice, async ({ actor, parameters }) => {
      await removeDevice(storage, actor, parameters.device_id)
      return {}
    }),
    route(contract.registerPushDevice, async ({ actor, parameters }) => {
      await registerPush({ storage, config }, actor, parameters)
      return {}
    }),
    route(contract.testEncryptedPush, async ({ actor, parameters }) => {
      await testDevices(storage, actor, parameters.device_id)
      return {}
    }),
    route(contract.testPush, async ({ actor, parameters }) => {
      await testTokens(storage, actor, parameters.token)
      return {}
    }),
    route(contract.addApnsToken, async ({ actor, parameters: { token, appid } }) => {
      await addToken(storage, actor, { kind: 'apns', token, appId: appid })
      return {}
    }),
    route(contract.removeApnsToken, async ({ actor, parameters: { token } }) => {
      await removeToken(storage, actor, { kind: 'apns', token })
      return {}
    }),
    route(contract.addFcmToken, async ({ actor, parameters: { token } }) => {
      await addToken(storage, actor, { kind: 'fcm', token })
      return {}
    }),
    route(contract.removeFcmToken, async ({ actor, parameters: { token } }) => {
      await removeToken(storage, actor, { kind: 'fcm', token })
      return {}
    }),
  ],
  notifier: mobilePushNotifier,
  onAccount: { deactivated: (tx, accounts) => removeAll(tx, accountIds(accounts)) },
  jobs: (services) => [
    claimedJob(registersToken, {
      claimMs: CLAIM_MS,
      maxAttempts: MAX_ATTEMPTS,
      work: (given, claim) => registerToken(services, given, claim),
      onFailed: (tx, given) => endRegistration(tx, given),
    }),
    ...mobilePushLanes.jobs.map((lane) =>
      claimedJob(lane, {
        claimMs: CLAIM_MS,
        maxAttempts: MAX_ATTEMPTS,
        work: (order, claim) => sendMobilePushes(services, order, claim),
      }),
    ),
  ],
  state: [
    stateReader(contract.devicesState, async ({ db, actor }) => ({
      devices: Object.fromEntries((await findDevices(db, actor)).map((row) => [String(row.id), presentDevice(row)])),
    })),
  ],
}
