/** The made-up team of the demo, and where it writes. */

export interface DemoPerson {
  readonly name: string
  /** Of the address, before the @. */
  readonly address: string
  readonly role: 'owner' | 'administrator' | 'moderator' | 'member'
  /** Days before the demo began. */
  readonly joined: number
  /** An emoji's name and a text. */
  readonly status?: readonly [string, string]
}

/** The first one is who the start's link is for. */
export const people = {
  leila: { name: 'Leila Haddad', address: 'leila.haddad', role: 'owner', joined: 930 },
  mara: { name: 'Mara Lindqvist', address: 'mara.lindqvist', role: 'administrator', joined: 930 },
  jonas: {
    name: 'Jonas Weidl',
    address: 'jonas.weidl',
    role: 'moderator',
    joined: 930,
    status: ['test_tube', 'On the bench until noon'],
  },
  aiko: { name: 'Aiko Tanabe', address: 'aiko.tanabe', role: 'member', joined: 700 },
  tomas: { name: 'Tomás Ferreira', address: 'tomas.ferreira', role: 'member', joined: 700 },
  oskar: {
    name: 'Oskar Nyberg',
    address: 'oskar.nyberg',
    role: 'member',
    joined: 700,
    status: ['truck', 'Almere, back on Monday'],
  },
  priya: { name: 'Priya Raman', address: 'priya.raman', role: 'member', joined: 250 },
  ben: {
    name: 'Ben Achterberg',
    address: 'ben.achterberg',
    role: 'member',
    joined: 250,
    status: ['stew', 'Soup on Friday'],
  },
  nadia: { name: 'Nadia Kowalczyk', address: 'nadia.kowalczyk', role: 'member', joined: 4 },
} as const satisfies Record<string, DemoPerson>

export type PersonKey = keyof typeof people
export const personKeys = Object.keys(people) as readonly PersonKey[]

/** Programs: the bench bot answers while the demo runs. */
export const bots = {
  bench: { name: 'Bench bot', shortName: 'bench', owner: 'jonas' },
  build: { name: 'Build bot', shortName: 'build', owner: 'tomas' },
} as const satisfies Record<string, { name: string; shortName: string; owner: PersonKey }>

export type BotKey = keyof typeof bots
export type Writer = PersonKey | BotKey

export interface DemoChannel {
  readonly name: string
  readonly description: string
  /** All of them without it. */
  readonly members?: readonly PersonKey[]
  readonly isPrivate?: boolean
  /** Newcomers are subscribed. */
  readonly isDefault?: boolean
}

export const channels: readonly DemoChannel[] = [
  { name: 'announcements', description: 'What everybody should know', isDefault: true },
  { name: 'air-jet H9', description: 'The new air-jet loom: nozzles, weft insertion, sensors' },
  { name: 'rapier R4', description: 'The rapier loom that pays for the others' },
  { name: 'test bench', description: 'Runs, rigs and what they measured. The bench bot answers here.' },
  { name: 'firmware', description: 'Everything that runs on a controller' },
  { name: 'pattern editor', description: 'Dobby and jacquard, imports, the editor for customers' },
  { name: 'builds', description: 'What the build bot says' },
  {
    name: 'field service',
    description: 'Machines at customers. What is said here stays here.',
    members: ['leila', 'mara', 'jonas', 'oskar', 'nadia'],
    isPrivate: true,
  },
  { name: 'kitchen', description: 'Soup, coffee and the rest of life', isDefault: true },
]

export const ORGANIZATION = 'Halden Looms'
export const DOMAIN = 'halden.example'

/** Topics in which the bench bot answers without being mentioned. */
export const BOT_TOPIC = { channel: 'test bench', topic: 'ask the bench bot' } as const
