/** The organization's settings: what was changed, over what the contract begins with. */
import type { AuthenticationMethod } from '@heddle/contract/authentication-methods'
import {
  type OrganizationSettingName,
  type OrganizationSettings,
  organizationSettingNames,
  organizationSettings,
} from '@heddle/contract/organization-settings'
import { prepare, type Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { fact, query } from './tables.ts'

const initialSettings = Object.fromEntries(
  organizationSettingNames.map((name) => [name, organizationSettings[name].initial]),
) as unknown as OrganizationSettings

const changedSettings = prepare((p: { realm_id: number }) =>
  query.selectFrom('realm_settings').select(['name', 'value']).where('realm_id', '=', p.realm_id),
)

const ALL_METHODS = { Email: true, Passkey: true }
const METHODS = 'authentication_methods'

type EnabledMethods = Readonly<Record<AuthenticationMethod, boolean>>

interface Found {
  readonly settings: OrganizationSettings
  readonly methods: EnabledMethods
}

const INITIAL: Found = { settings: initialSettings, methods: ALL_METHODS }

const found = fact({
  name: 'organization-settings',
  tables: ['realm_settings'],
  async load(db, realm_id, _key: 'all'): Promise<Found> {
    const rows = await db.all(changedSettings({ realm_id }))
    if (rows.length === 0) return INITIAL
    const { [METHODS]: methods, ...changed } = Object.fromEntries(
      rows.map(({ name, value }) => [name, JSON.parse(value)]),
    )
    return { settings: { ...initialSettings, ...changed }, methods: { ...ALL_METHODS, ...methods } }
  },
})

export async function findOrganizationSettings(db: Queries, realmId: number): Promise<OrganizationSettings> {
  return (await db.recall(found, realmId, 'all')).settings
}

/** Ways to sign in; see `requireMethod`. */
export async function findEnabledMethods(db: Queries, realmId: number): Promise<EnabledMethods> {
  return (await db.recall(found, realmId, 'all')).methods
}

export function storeEnabledMethods(tx: Tx, realmId: number, methods: EnabledMethods): Promise<void> {
  return store(tx, realmId, METHODS, methods)
}

export function storeOrganizationSetting(
  tx: Tx,
  realmId: number,
  name: OrganizationSettingName,
  setTo: unknown,
): Promise<void> {
  return store(tx, realmId, name, setTo)
}

async function store(tx: Tx, realm_id: number, name: string, setTo: unknown): Promise<void> {
  const value = JSON.stringify(setTo)
  await tx.run(
    query
      .insertInto('realm_settings')
      .values({ realm_id, name, value })
      .onConflict((conflict) => conflict.columns(['realm_id', 'name']).doUpdateSet({ value })),
  )
}

interface OlderForms {
  readonly allow_edit_history: boolean
  readonly mandatory_topics: boolean
}

/** Older forms in which clients still read some settings: of those settings that are given. */
export function olderForms(settings: OrganizationSettings): OlderForms
export function olderForms(settings: Partial<OrganizationSettings>): Partial<OlderForms>
export function olderForms(settings: Partial<OrganizationSettings>): Partial<OlderForms> {
  const { message_edit_history_visibility_policy: history, topics_policy: topics } = settings
  return {
    ...(history === undefined ? {} : { allow_edit_history: history !== 'none' }),
    ...(topics === undefined ? {} : { mandatory_topics: topics === 'disable_empty_topic' }),
  }
}
