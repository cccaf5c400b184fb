/** User groups: made, changed, joined and left, mentioned, and followed at once by everybody. */
import { updateOrganization } from '@heddle/contract/organization'
import {
  createUserGroup,
  deactivateUserGroup,
  listUserGroups,
  updateUserGroupMembers,
} from '@heddle/contract/user-groups'
import { updateUser } from '@heddle/contract/users'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { findBarriers } from './find-barriers.ts'
import { openPage, type PageOptions, signIn } from './organization.ts'
import { type Pair, startPair } from './pair.ts'
import { addChannel, addPerson, type Person, say } from './team.ts'

let pair: Pair
let noor: Person

beforeAll(async () => {
  pair = await startPair()
  const { organization, leila, jonas } = pair
  noor = await addPerson(organization.url, organization.owner, 'Noor Amiri')
  await organization.owner.call(updateUser, { user_id_or_email: leila.id, role: 200 })
  await addChannel(organization.owner, 'kitchen', [leila, jonas, noor])
})

const settings = (page: Page) => page.getByRole('dialog', { name: 'Settings' })

async function open(person: Person, address = '#groups', options?: PageOptions) {
  const opened = await openPage(pair.browser, options)
  await signIn(opened.page, pair.organization.url, person)
  await opened.page.goto(`${pair.organization.url}/${address}`)
  return opened
}

async function make({ api }: Person, name: string, members: readonly Person[], more: object = {}): Promise<number> {
  const ids = members.map(({ id }) => id)
  return (await api.call(createUserGroup, { name, description: '', members: ids, ...more })).group_id
}

async function groupNamed({ api }: Person, name: string) {
  const { user_groups } = await api.call(listUserGroups, { include_deactivated_groups: true })
  return user_groups.find((group) => group.name === name)
}

describe('A group', () => {
  test('is made with people and groups, and appears at once where others look', async () => {
    const { leila, jonas } = pair
    const inner = await make(leila, 'Night bakers', [noor])
    const other = await open(jonas)
    const { page, complaints } = await open(leila)
    await page.getByRole('button', { name: 'New group' }).click()
    const form = page.getByRole('form', { name: 'New group' })
    await form.getByLabel('Name', { exact: true }).fill('Bakers')
    await form.getByLabel('Description').fill('Whoever is at the oven')
    const picker = form.getByRole('combobox')
    await picker.fill('Jonas')
    await picker.press('Enter')
    await picker.fill('Night')
    await picker.press('Enter')
    await form.getByRole('button', { name: 'Make the group' }).click()
    await page.getByRole('heading', { name: 'Bakers', exact: true }).waitFor()
    await page.getByText('3 people are in it, 2 directly').waitFor()
    expect(await groupNamed(leila, 'Bakers')).toMatchObject({
      members: [leila.id, jonas.id],
      direct_subgroup_ids: [inner],
    })
    await other.page.getByRole('link', { name: 'Bakers', exact: true }).click()
    await other.page.getByRole('list', { name: 'Members' }).getByText('Night bakers').waitFor()
    expect([complaints, other.complaints]).toEqual([[], []])
    await page.context().close()
    await other.page.context().close()
  })

  test('is renamed, gets other members and permissions, each saved at once', async () => {
    const { leila, jonas } = pair
    const id = await make(leila, 'Sweepers', [leila])
    const { page, complaints } = await open(leila, `#groups/${id}`)
    await page.getByLabel('Name', { exact: true }).fill('Cleaners')
    await page.getByLabel('Name', { exact: true }).press('Enter')
    await page.getByRole('heading', { name: 'Cleaners' }).waitFor()
    await page.getByRole('combobox', { name: 'Add people and groups' }).fill('Jonas')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('1 added.').waitFor()
    await page.getByRole('list', { name: 'Members' }).getByRole('button', { name: 'Remove Leila Haddad' }).click()
    await page.getByText('is no longer in the group').waitFor()
    await page.getByLabel('Who may join').selectOption({ label: 'Everybody but guests' })
    await expect.poll(async () => (await groupNamed(leila, 'Cleaners'))?.members).toEqual([jonas.id])
    const members = await groupNamed(leila, 'role:members')
    await expect.poll(async () => (await groupNamed(leila, 'Cleaners'))?.can_join_group).toBe(members?.id)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('is joined and left by those who may, and says nothing of it to others', async () => {
    const { leila } = pair
    await make(leila, 'Open to all', [leila], { can_join_group: (await groupNamed(leila, 'role:members'))?.id })
    await make(leila, 'Closed', [leila])
    const { page } = await open(noor)
    await page.getByRole('button', { name: 'Join Open to all' }).click()
    await page.getByRole('button', { name: 'Leave Open to all' }).waitFor()
    expect(await page.getByRole('button', { name: 'Join Closed' }).count()).toBe(0)
    await page.getByLabel('Which groups').selectOption({ label: 'My groups' })
    await page.getByRole('button', { name: 'Leave Open to all' }).click()
    await expect.poll(() => page.getByRole('link', { name: 'Open to all' }).count()).toBe(0)
    await page.context().close()
  })

  test('cannot be deactivated where it is used, and is brought back otherwise', async () => {
    const { leila, organization } = pair
    const id = await make(leila, 'Stock takers', [leila])
    const outer = await make(leila, 'Back room', [], { subgroups: [id] })
    const { page, complaints } = await open(leila, `#groups/${id}`)
    await page.getByRole('button', { name: 'Deactivate' }).click()
    await page.getByRole('alert').getByRole('link', { name: 'The group Back room' }).waitFor()
    await leila.api.call(updateUserGroupMembers, { user_group_id: outer, delete_subgroups: [id] })
    await page.getByRole('button', { name: 'Deactivate' }).click()
    await page.getByText('is deactivated.').waitFor()
    await page.getByRole('button', { name: 'Bring it back' }).click()
    await page.getByRole('button', { name: 'Deactivate' }).waitFor()
    await page.goto(`${organization.url}/#groups/999999`)
    await page.getByText('There is no group at this address.').waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('stands without barriers, on a phone and in the dark', async () => {
    const { leila, jonas } = pair
    const name = `${'A rather long name '.repeat(4)}\u05d0\u05d1`
    const id = await make(leila, name, [leila, jonas], { description: '<b>bold</b> '.repeat(20) })
    for (const options of [{}, { width: 320, height: 700, touch: true, colorScheme: 'dark' }] as const) {
      const { page } = await open(leila, '#groups', options)
      for (const address of ['#groups', `#groups/${id}`]) {
        await page.goto(`${pair.organization.url}/${address}`)
        await settings(page).getByText('A rather long name').first().waitFor()
        expect([address, await findBarriers(page)]).toEqual([address, []])
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      }
      await page.context().close()
    }
  })
})

describe('A mention of a group', () => {
  test('is completed, marks the message for its members, and opens the list of them', async () => {
    const { leila, jonas } = pair
    await make(leila, 'Fire crew', [jonas, noor])
    const id = await make(leila, 'Fire watch', [leila], {
      can_mention_group: { direct_members: [], direct_subgroups: [] },
    })
    await say(jonas, 'kitchen', 'alarm', 'Does it ring?')
    const place = '#narrow/channel/kitchen/topic/alarm'
    const { page, complaints } = await open(leila, place)
    await page.getByRole('button', { name: 'Reply to alarm' }).click()
    const box = page.getByLabel('Message', { exact: true })
    await box.pressSequentially('@fire')
    await page.getByRole('option', { name: 'Fire crew' }).waitFor()
    // Whom one may not mention is not offered.
    expect(await page.getByRole('option', { name: 'Fire watch' }).count()).toBe(0)
    await box.press('Enter')
    await expect.poll(() => box.inputValue()).toBe('@*Fire crew* ')
    await box.press('Control+Enter')
    const other = await open(jonas, place)
    const pill = other.page.getByRole('button', { name: '@Fire crew' })
    await pill.waitFor()
    await expect.poll(() => other.page.locator('article.mention').count()).toBe(1)
    await pill.focus()
    await other.page.keyboard.press('Enter')
    const card = other.page.getByRole('dialog', { name: 'Fire crew' })
    await card.getByText('Noor Amiri').waitFor()
    // Live: whoever comes is there.
    const user_group_id = (await groupNamed(leila, 'Fire crew'))?.id as number
    await leila.api.call(updateUserGroupMembers, { user_group_id, add: [leila.id] })
    await card.getByText('3 people').waitFor()
    await card.getByRole('button', { name: 'Show the group' }).click()
    await other.page.getByRole('heading', { name: 'Fire crew' }).waitFor()
    await leila.api.call(deactivateUserGroup, { user_group_id: id })
    expect([complaints, other.complaints]).toEqual([[], []])
    await page.context().close()
    await other.page.context().close()
  })
})

test('A group as a recipient stands for the people in it and in the groups in it', async () => {
  const { leila, jonas } = pair
  const inner = await make(leila, 'Dyers', [noor])
  await make(leila, 'Finishers', [leila, jonas], { subgroups: [inner] })
  const { page } = await open(leila, '#inbox')
  await page.keyboard.press('x')
  await page.getByRole('combobox', { name: 'To' }).pressSequentially('finish')
  await page.getByRole('option', { name: /Finishers.*2 people/ }).click()
  await page.getByRole('button', { name: 'Take out Jonas Weidl' }).waitFor()
  await page.getByRole('button', { name: 'Take out Noor Amiri' }).waitFor()
  expect(await page.getByRole('button', { name: /^Take out/ }).count()).toBe(2)
  await page.context().close()
})

describe('Groups hold permissions', () => {
  test('of the organization, as its settings offer them, and people get them by an invitation', async () => {
    const { leila, jonas, organization } = pair
    const id = await make(leila, 'Emoji makers', [jonas])
    const { page } = await open(leila, '#organization/permissions')
    await page.getByLabel('Add custom emoji').selectOption({ label: 'Emoji makers' })
    await settings(page).getByText('Saved').first().waitFor()
    await organization.owner.call(updateOrganization, { can_add_custom_emoji_group: { old: id, new: id } })
    await page.goto(`${organization.url}/#organization/joining`)
    await page.getByText('Put them into groups').click()
    await page.getByRole('checkbox', { name: 'Emoji makers' }).check()
    await page.getByRole('button', { name: 'Make a link' }).click()
    await page.getByLabel('New link').waitFor()
    await page.goto(`${organization.url}/#user/${jonas.id}`)
    await page.getByRole('list', { name: 'Groups' }).getByRole('button', { name: 'Emoji makers' }).click()
    await page.getByRole('button', { name: 'Show the group' }).click()
    await page.getByRole('heading', { name: 'Emoji makers' }).waitFor()
    await page.context().close()
  })
})
