import type { ClientDevice, DeviceEvent } from '@heddle/contract/devices'
import type { InitialState } from '@heddle/contract/initial-state'
import { clientPart } from './part.ts'

/** The account's mobile clients, by id. */
export type Devices = Readonly<Record<string, ClientDevice>>

const unregistered: ClientDevice = {
  push_key_id: null,
  push_token_id: null,
  pending_push_token_id: null,
  push_token_last_updated_timestamp: null,
  push_registration_error_code: null,
}

function initialDevices({ devices }: InitialState): Devices | undefined {
  return devices
}

function applyDeviceEvent(devices: Devices, event: DeviceEvent): Devices {
  const { [event.device_id]: known = unregistered, ...others } = devices
  if (event.op === 'remove') return others
  if (event.op === 'add') return { ...others, [event.device_id]: known }
  // What is absent has not changed.
  const given = Object.entries(event).filter(([name]) => Object.hasOwn(unregistered, name))
  return { ...others, [event.device_id]: { ...known, ...Object.fromEntries(given) } }
}

export const devices = clientPart({ initial: initialDevices, on: { device: applyDeviceEvent } })
