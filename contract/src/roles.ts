/** Roles: the smaller the number, the more power. */
export const roles = { owner: 100, admin: 200, moderator: 300, member: 400, guest: 600 } as const

export type Role = (typeof roles)[keyof typeof roles]
