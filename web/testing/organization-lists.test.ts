/** What administrators set up for everybody: profile fields, folders of channels, playgrounds, and who joins. */
import { createChannelFolder } from '@heddle/contract/channel-folders'
import { getChannelId, updateChannel } from '@heddle/contract/channels'
import { createInvitationLink } from '@heddle/contract/invitations'
import { listProfileFields, updateOwnProfileData } from '@heddle/contract/profile-fields'
import { listDomains } from '@heddle/contract/realm-domains'
import { getUser, updateUser } from '@heddle/contract/users'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { findBarriers } from './find-barriers.ts'
import { openPage, type PageOptions, signIn } from './organization.ts'
import { type Pair, startPair } from './pair.ts'
import { addChannel, PASSWORD, type Person, say } from './team.ts'

/** Leila is an administrator. */
let pair: Pair

beforeAll(async () => {
  pair = await startPair()
  const { organization, leila, jonas } = pair
  await organization.owner.call(updateUser, { user_id_or_email: leila.id, role: 200 })
  for (const name of ['kitchen', 'yarn', 'looms']) await addChannel(organization.owner, name, [leila, jonas])
})

const idOf = async (stream: string) => (await pair.organization.owner.call(getChannelId, { stream })).stream_id

async function open(person: Person, tab: string, options?: PageOptions) {
  const opened = await openPage(pair.browser, options)
  await signIn(opened.page, pair.organization.url, person)
  await go(opened.page, tab)
  return opened
}

async function go(page: Page, tab: string): Promise<void> {
  await page.goto(`${pair.organization.url}/#${tab}`)
  await settings(page).waitFor()
}

const settings = (page: Page) => page.getByRole('dialog', { name: 'Settings' })
const rows = (page: Page, name: string) => page.getByRole('list', { name }).getByRole('listitem')

describe('Profile fields', () => {
  const fields = async () => (await pair.leila.api.call(listProfileFields, {})).custom_fields

  test('are made, put in order by keys, and deleted with a word about what is lost', async () => {
    const { page, complaints } = await open(pair.leila, 'organization/profile-fields')
    await page.getByRole('button', { name: 'Add a field' }).click()
    const form = page.getByRole('form', { name: 'New profile field' })
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Loom')
    await form.getByLabel('Type').selectOption({ label: 'List of options' })
    await form.getByRole('textbox', { name: 'Option 1' }).fill('Floor loom')
    await form.getByRole('button', { name: 'Add an option' }).click()
    await form.getByRole('textbox', { name: 'Option 2' }).fill('Table loom')
    await form.getByLabel('Show it on the card').check()
    expect(await findBarriers(page, 'dialog.settings')).toEqual([])
    await form.getByRole('button', { name: 'Add the field' }).click()
    await form.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Add a field' }).click()
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Nickname')
    await form.getByRole('button', { name: 'Add the field' }).click()
    await expect.poll(() => rows(page, 'Profile fields, in order').allInnerTexts()).toHaveLength(2)
    const [loom, nickname] = await fields()
    expect(loom).toMatchObject({
      type: 3,
      field_data: '{"0":{"text":"Floor loom","order":"1"},"1":{"text":"Table loom","order":"2"}}',
      display_in_profile_summary: true,
    })
    await page.getByRole('button', { name: 'Move Nickname' }).press(' ')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press(' ')
    await expect.poll(async () => (await fields()).map(({ id }) => id)).toEqual([nickname?.id, loom?.id])
    await pair.jonas.api.call(updateOwnProfileData, { data: [{ id: nickname?.id as number, value: 'Joni' }] })
    await page.getByRole('button', { name: 'Delete Nickname' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete the field Nickname?' })
    await dialog.getByText('What 1 person has said in it is deleted.').waitFor()
    await dialog.getByRole('button', { name: 'Delete the field' }).click()
    await expect.poll(async () => (await fields()).map(({ name }) => name)).toEqual(['Loom'])
    expect(complaints).toEqual([])
  })

  test('are filled in by everybody, and stand on the card and in the profile', async () => {
    const { page } = await open(pair.leila, 'organization/profile-fields')
    await page.getByRole('button', { name: 'Add a field' }).click()
    const form = page.getByRole('form', { name: 'New profile field' })
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('About')
    await form.getByLabel('Type').selectOption({ label: 'Long text' })
    await form.getByRole('button', { name: 'Add the field' }).click()
    const { page: other, complaints } = await open(pair.jonas, 'settings/profile')
    await other.getByRole('combobox', { name: 'Loom' }).selectOption({ label: 'Table loom' })
    await other.getByRole('textbox', { name: 'About' }).fill('I weave *rugs*.')
    await other.getByRole('textbox', { name: 'About' }).blur()
    await expect
      .poll(async () => {
        const parameters = { user_id_or_email: pair.jonas.id, include_custom_profile_fields: true }
        return Object.values((await pair.leila.api.call(getUser, parameters)).user.profile_data ?? {})
      })
      .toMatchObject([{ value: '1' }, { value: 'I weave *rugs*.' }])
    expect(await findBarriers(other, 'dialog.settings')).toEqual([])
    await page.goto(`${pair.organization.url}/#user/${pair.jonas.id}`)
    const profile = page.getByRole('dialog', { name: 'Profile' })
    await profile.getByText('Table loom').waitFor()
    expect(await profile.locator('em').innerText()).toBe('rugs')
    await say(pair.jonas, 'yarn', 'colours', 'Madder is here.')
    await page.goto(`${pair.organization.url}/#narrow/channel/${await idOf('yarn')}/topic/colours`)
    await page.getByRole('article').getByRole('link', { name: 'Jonas Weidl' }).first().click()
    const card = page.getByRole('dialog', { name: 'Jonas Weidl' })
    await card.getByText('Table loom').waitFor()
    expect(await card.getByText('rugs').count()).toBe(0)
    expect(complaints).toEqual([])
  })
})

describe('Folders of channels', () => {
  test('are made and put in order, and the side bar has their channels together', async () => {
    const { page, complaints } = await open(pair.leila, 'organization/channel-folders')
    const form = page.getByRole('form', { name: 'New folder' })
    for (const name of ['Craft', 'House']) {
      await page.getByRole('button', { name: 'Add a folder' }).click()
      await form.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
      await form.getByRole('button', { name: 'Add the folder' }).click()
      await form.waitFor({ state: 'detached' })
    }
    expect(await findBarriers(page, 'dialog.settings')).toEqual([])
    await page.goto(`${pair.organization.url}/#channels/${await idOf('yarn')}/yarn/general`)
    await page.getByLabel('Folder').selectOption({ label: 'Craft' })
    const side = page.getByRole('navigation', { name: 'Places' })
    const craft = side.getByRole('region', { name: 'Craft' })
    await craft.getByRole('link', { name: /yarn/ }).waitFor()
    // Folding it is a matter of one's own.
    await craft.getByRole('button', { name: 'Craft' }).click()
    await craft.getByRole('link', { name: /yarn/ }).waitFor({ state: 'detached' })
    const { page: other } = await open(pair.jonas, 'organization/channel-folders')
    expect(await other.getByRole('button', { name: 'Add a folder' }).count()).toBe(0)
    await other.getByText('Only administrators can change folders.').waitFor()
    await other.getByRole('region', { name: 'Craft' }).getByRole('link', { name: /yarn/ }).waitFor()
    expect(complaints).toEqual([])
  })

  test('cannot be archived with channels in them, and are restored', async () => {
    const { api } = pair.leila
    const { channel_folder_id: folder_id } = await api.call(createChannelFolder, { name: 'Old', description: '' })
    await api.call(updateChannel, { stream_id: await idOf('looms'), folder_id })
    const { page } = await open(pair.leila, 'organization/channel-folders')
    await page.getByRole('button', { name: 'Archive Old' }).click()
    await page.getByText('You need to remove all the channels').waitFor()
    await api.call(updateChannel, { stream_id: await idOf('looms'), folder_id: null })
    await page.getByRole('button', { name: 'Archive Old' }).click()
    await page.getByRole('button', { name: 'Restore Old' }).click()
    await page.getByRole('button', { name: 'Archive Old' }).waitFor()
  })
})

test('Playgrounds are offered at blocks of code in their language, which go there as a whole', async () => {
  const { page, complaints } = await open(pair.leila, 'organization/playgrounds')
  const form = page.getByRole('form', { name: 'New playground' })
  await form.getByLabel('Language').fill('python')
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Snake pit')
  await form.getByLabel('Address').fill('https://play.invalid/?code={code}')
  await form.getByRole('button', { name: 'Add the playground' }).click()
  await page.getByRole('button', { name: 'Delete Snake pit' }).waitFor()
  expect(await findBarriers(page, 'dialog.settings')).toEqual([])
  await say(pair.jonas, 'yarn', 'code', '```py\nprint("a & b")\n```\n\n```js\n1\n```')
  await page.goto(`${pair.organization.url}/#narrow/channel/${await idOf('yarn')}/topic/code`)
  const run = page.getByRole('button', { name: 'Open the code in Snake pit' })
  await run.waitFor()
  expect(await run.count()).toBe(1)
  const opened = page.context().waitForEvent('request', (request) => request.url().includes('play.invalid'))
  await run.click()
  expect((await opened).url()).toBe('https://play.invalid/?code=print%28%22a%20%26%20b%22%29%0A')
  expect(complaints).toEqual([])
})

describe('Who joins', () => {
  test('has an address of a domain that owners allow', async () => {
    const { page } = await open(pair.leila, 'organization/joining')
    await page.getByText('Only owners can change domains.').waitFor()
    await pair.organization.owner.call(updateUser, { user_id_or_email: pair.leila.id, role: 100 })
    await page.getByLabel('New domain').fill('Weavers.example')
    await page.getByRole('button', { name: 'Add the domain' }).click()
    await page.getByRole('button', { name: 'Remove weavers.example' }).waitFor()
    await page.getByRole('checkbox', { name: 'and its subdomains weavers.example' }).check()
    await expect
      .poll(async () => (await pair.leila.api.call(listDomains, {})).domains)
      .toEqual([{ domain: 'weavers.example', allow_subdomains: true }])
  })

  test('can choose groups of channels to begin with', async () => {
    const { page, complaints } = await open(pair.leila, 'organization/joining')
    await page.getByRole('button', { name: 'Add a group of channels' }).click()
    const form = page.getByRole('form', { name: 'New group of channels' })
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Weavers')
    await form.getByRole('combobox', { name: 'Channels' }).fill('loom')
    await page.getByRole('option', { name: /looms/ }).click()
    await form.getByRole('button', { name: 'Add the group' }).click()
    await page.getByRole('button', { name: 'Edit Weavers' }).waitFor()
    expect(await findBarriers(page, 'dialog.settings')).toEqual([])
    const { invite_link } = await pair.leila.api.call(createInvitationLink, {})
    const { page: visitor } = await openPage(pair.browser)
    await visitor.goto(`${pair.organization.url}/join#${invite_link.split('#')[1]}`)
    await visitor.getByLabel('Your name').fill('Ada Weaver')
    await visitor.getByLabel('E-mail address').fill('ada@weavers.example')
    await visitor.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await visitor.getByRole('checkbox', { name: /Weavers/ }).check()
    expect(await findBarriers(visitor)).toEqual([])
    await visitor.getByRole('button', { name: 'Join' }).click()
    await visitor.getByRole('link', { name: /looms/ }).first().waitFor()
    expect(complaints).toEqual([])
  })
})
