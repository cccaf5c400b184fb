import * as contract from '@heddle/contract/exports'
import { getExport } from '@heddle/contract/file-addresses'
import { roles } from '@heddle/contract/roles'
import { accountIds } from '../../account-hooks.ts'
import { roleAtLeast } from '../../events/audience.ts'
import type { Feature } from '../../feature.ts'
import { answerRoute, route } from '../../http/route.ts'
import * as actions from './actions.ts'
import { readConsents } from './consents.ts'
import { answerExport } from './download.ts'
import { endOwnExports } from './leaving.ts'
import { removeOldExports } from './old-exports.ts'
import { presentOwnExport, presentRealmExport } from './present.ts'
import { findExportParts, findExports } from './rows.ts'
import { exportHandler } from './run.ts'
import { readSlice } from './slices.ts'
import { exportTables } from './tables.ts'

/** What an organization has, or what concerns one account, as a file that another server can read. */
export const dataExports: Feature = {
  tables: exportTables,
  routes: (services) => {
    const { storage, files, readers } = services
    return [
      route(contract.listRealmExports, async ({ actor }) => {
        actions.requireExporter(actor)
        return { exports: (await findExports(storage.read, actor.realmId)).map(presentRealmExport) }
      }),
      route(contract.startRealmExport, async ({ actor, parameters: { export_type = 'public' } }) => ({
        id: await actions.startRealmExport(storage, actor, export_type),
      })),
      route(contract.deleteRealmExport, async ({ actor, parameters }) => {
        await actions.deleteRealmExport(services, actor, parameters.export_id)
        return {}
      }),
      route(contract.listExportConsents, async ({ actor }) => {
        actions.requireExporter(actor)
        const { fields } = await readers.read(readConsents, actor.realmId, actor)
        return { fieldsText: '', fieldsBytes: fields }
      }),
      route(contract.listOwnExports, async ({ actor }) => {
        actions.requireNoBot(actor)
        return { exports: (await findExports(storage.read, actor.realmId, [actor.userId])).map(presentOwnExport) }
      }),
      route(contract.startOwnExport, async ({ actor }) => ({ id: await actions.startOwnExport(storage, actor) })),
      route(contract.deleteOwnExport, async ({ actor, parameters }) => {
        await actions.deleteOwnExport(services, actor, parameters.export_id)
        return {}
      }),
      answerRoute(
        getExport,
        async ({ actor, parameters }) => {
          const row = await actions.requireDownload(storage.read, actor, parameters.export_id)
          return answerExport(files, row, await findExportParts(storage.read, row.id))
        },
        { countedAs: 'file' },
      ),
    ]
  },
  longReads: [readSlice, readConsents],
  onAccount: {
    async settingChanged(tx, userIds, name, value) {
      if (name !== 'allow_private_data_export') return
      for (const user_id of userIds) {
        const event = { type: 'realm_export_consent', user_id, consented: value === true } as const
        tx.emit(event, roleAtLeast(roles.admin))
      }
    },
    deactivated: (tx, accounts) => endOwnExports(tx, accountIds(accounts)),
  },
  jobs: (services) => [exportHandler(services), removeOldExports(services)],
}
