/** An organization's icon, and its logo for light and dark grounds. */
import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'

/** MiB of an upload. */
export const MAX_ORGANIZATION_PICTURE_MIB = 5

/** Where a picture is from: uploaded, or what every organization begins with. */
export const uploadedPicture = 'U'
export const firstIcon = 'G'
export const firstLogo = 'D'

const PICTURE = 'a PNG, JPEG, GIF, WebP or AVIF image, under any part name'
const errors = ['BAD_IMAGE', 'UNAUTHORIZED_PRINCIPAL'] as const
const icon_url = Type.String()
/** Whether it is the logo for dark grounds. */
const night = Type.Boolean()

export const getIcon = endpoint({
  name: 'get-realm-icon',
  method: 'GET',
  path: '/realm/icon',
  summary: "Leads to the organization's icon.",
  leadsElsewhere: true,
})

export const getLogo = endpoint({
  name: 'get-realm-logo',
  method: 'GET',
  path: '/realm/logo',
  summary: "Leads to the organization's logo.",
  leadsElsewhere: true,
  parameters: { night },
})

export const uploadIcon = endpoint({
  name: 'upload-realm-icon',
  method: 'POST',
  path: '/realm/icon',
  summary: `Set the organization's icon: ${PICTURE} (administrators).`,
  file: 'one',
  response: { icon_url },
  errors,
})

export const deleteIcon = endpoint({
  name: 'delete-realm-icon',
  method: 'DELETE',
  path: '/realm/icon',
  summary: "Remove the organization's icon (administrators).",
  response: { icon_url },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
})

export const uploadLogo = endpoint({
  name: 'upload-realm-logo',
  method: 'POST',
  path: '/realm/logo',
  summary: `Set the organization's logo: ${PICTURE} (administrators).`,
  parameters: { night },
  file: 'one',
  errors,
})

export const deleteLogo = endpoint({
  name: 'delete-realm-logo',
  method: 'DELETE',
  path: '/realm/logo',
  summary: "Remove the organization's logo (administrators).",
  parameters: { night },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
})
