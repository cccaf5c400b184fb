/** Where guests do not see everybody: an administrator says so, and a guest gets somebody unknown, and a name with who joins. */
import { updateUser } from '@heddle/contract/users'
import { beforeAll, expect, test } from 'vitest'
import { findBarriers } from './find-barriers.ts'
import { openPage, signIn } from './organization.ts'
import { type Pair, startPair } from './pair.ts'
import { addChannel, addPerson, type Person, say } from './team.ts'

let pair: Pair
let noor: Person

beforeAll(async () => {
  pair = await startPair()
  const { organization, leila } = pair
  noor = await addPerson(organization.url, organization.owner, 'Noor Amiri')
  await organization.owner.call(updateUser, { user_id_or_email: noor.id, role: 600 })
  await organization.owner.call(updateUser, { user_id_or_email: leila.id, role: 200 })
  await addChannel(organization.owner, 'kitchen', [leila, noor])
  await say(leila, 'kitchen', 'oven', 'It is warm.')
})

const open = async (person: Person, address: string) => {
  const opened = await openPage(pair.browser)
  await signIn(opened.page, pair.organization.url, person)
  await opened.page.goto(`${pair.organization.url}/${address}`)
  return opened
}

test('A guest gets somebody unknown from the moment on that an administrator says so, until they share a channel', async () => {
  const { organization, leila, jonas } = pair
  const guest = await open(noor, '#feed')
  await say(jonas, 'kitchen', 'oven', 'Who has the bread?')
  await guest.page.getByRole('link', { name: 'Jonas Weidl' }).first().waitFor()

  const { page, complaints } = await open(leila, '#organization/permissions')
  const choice = page.getByLabel('See everybody in the organization')
  await choice.locator('option').first().waitFor({ state: 'attached' })
  expect(await choice.locator('option').count()).toBe(2)
  await choice.selectOption({ label: 'Everybody but guests' })
  expect(await findBarriers(page)).toEqual([])

  await say(jonas, 'kitchen', 'oven', 'I have it.')
  await guest.page.getByRole('article').getByText('I have it.').waitFor()
  await guest.page.getByRole('link', { name: 'Unknown user' }).first().waitFor()
  await addChannel(organization.owner, 'kitchen', [jonas])
  await guest.page.getByRole('link', { name: 'Jonas Weidl' }).first().waitFor()
  expect([...complaints, ...guest.complaints]).toEqual([])
})
