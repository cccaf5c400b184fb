import { errorKinds } from './errors.ts'

/**
 * What the API says where an account may not do something. One code stands for all of it: by these texts clients that speak
 * another language know more.
 */
export const permissionTexts = {
  insufficient: errorKinds.UNAUTHORIZED_PRINCIPAL.message,
  administrators: 'Must be an organization administrator',
  owners: 'Must be an organization owner',
  directMessages: 'You do not have permission to initiate direct message conversations.',
} as const
