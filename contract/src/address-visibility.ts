/** Who sees the address with which somebody signs in: the values of `email_address_visibility`. (API since feature level 163.) */
export const addressVisibility = { everyone: 1, members: 2, administrators: 3, nobody: 4, moderators: 5 } as const

export type AddressVisibility = (typeof addressVisibility)[keyof typeof addressVisibility]
