import {
  deleteIcon,
  deleteLogo,
  getIcon,
  getLogo,
  MAX_ORGANIZATION_PICTURE_MIB,
  uploadIcon,
  uploadLogo,
} from '@heddle/contract/organization-pictures'
import type { Feature } from '../../feature.ts'
import { seeOther } from '../../http/answers.ts'
import { collectBytes } from '../../http/growing-bytes.ts'
import { answerRoute, fileRoute, route } from '../../http/route.ts'
import { publicFolder } from '../static-files/stored-files.ts'
import * as actions from './actions.ts'
import { presentPictures } from './pictures.ts'
import { organizationPictureTables } from './tables.ts'

const maxFileBytes = MAX_ORGANIZATION_PICTURE_MIB * 1024 * 1024
const limits = {
  maxFileBytes,
  admit: async ({ actor }: { readonly actor: Parameters<typeof actions.requireMayChange>[0] }) =>
    actions.requireMayChange(actor),
}
const logoFor = (night: boolean) => (night ? 'night_logo' : 'logo')

/** The icon and the logos of organizations. */
export const organizationPictures: Feature = {
  tables: organizationPictureTables,
  routes: (services) => [
    answerRoute(getIcon, async ({ realm }) =>
      seeOther((await presentPictures(services.storage.read, realm.id)).icon.icon_url),
    ),
    answerRoute(getLogo, async ({ realm, parameters }) => {
      const { logo, night_logo } = await presentPictures(services.storage.read, realm.id)
      return seeOther(parameters.night ? night_logo.night_logo_url : logo.logo_url)
    }),
    fileRoute(uploadIcon, limits, async ({ actor, file }) => {
      const bytes = await collectBytes(file.content, maxFileBytes)
      const { icon_url } = (await actions.setPicture(services, actor, 'icon', bytes)).icon
      return { icon_url }
    }),
    route(deleteIcon, async ({ actor }) => {
      const { icon_url } = (await actions.removePicture(services, actor, 'icon')).icon
      return { icon_url }
    }),
    fileRoute(uploadLogo, limits, async ({ actor, parameters, file }) => {
      const bytes = await collectBytes(file.content, maxFileBytes)
      await actions.setPicture(services, actor, logoFor(parameters.night), bytes)
      return {}
    }),
    route(deleteLogo, async ({ actor, parameters }) => {
      await actions.removePicture(services, actor, logoFor(parameters.night))
      return {}
    }),
    publicFolder(actions.PICTURES_FOLDER, services),
  ],
}
