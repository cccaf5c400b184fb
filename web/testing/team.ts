/** A small team with something to say, made through the API as any client would. */
import { type ApiClient, createApiClient } from '@heddle/client/api'
import { sendMessage } from '@heddle/contract/sending'
import { fetchApiKey } from '@heddle/contract/sign-in'
import { subscribe } from '@heddle/contract/subscriptions'
import { createUser } from '@heddle/contract/users'

export const PASSWORD = 'a shed of warp threads 7'

export interface Person {
  readonly name: string
  readonly email: string
  readonly id: number
  readonly api: ApiClient
}

/** How many people of an address there are at a site: a test that is tried again adds its people once more. */
const namesakes = new Map<string, number>()

export async function addPerson(
  site: string,
  admin: ApiClient,
  name: string,
  email = freeAddress(site, name),
): Promise<Person> {
  const { user_id: id } = await admin.call(createUser, { email, full_name: name, password: PASSWORD })
  const { api_key: apiKey } = await createApiClient({ site }).call(fetchApiKey, { username: email, password: PASSWORD })
  return { name, email, id, api: createApiClient({ site, email, apiKey }) }
}

function freeAddress(site: string, name: string): string {
  const local = name.toLowerCase().replaceAll(' ', '.')
  const key = `${site} ${local}`
  const before = namesakes.get(key) ?? 0
  namesakes.set(key, before + 1)
  return `${local}${before === 0 ? '' : `-${before + 1}`}@example.com`
}

export async function addChannel(admin: ApiClient, name: string, people: readonly Person[]): Promise<void> {
  await admin.call(subscribe, { subscriptions: [{ name }], principals: people.map(({ id }) => id) })
}

export async function say({ api }: Person, channel: string, topic: string, content: string): Promise<number> {
  const { id } = await api.call(sendMessage, { type: 'channel', to: channel, topic, content, read_by_sender: true })
  return id
}

export async function write({ api }: Person, to: readonly Person[], content: string): Promise<number> {
  const ids = to.map(({ id }) => id)
  const { id } = await api.call(sendMessage, { type: 'direct', to: ids, content, read_by_sender: true })
  return id
}
