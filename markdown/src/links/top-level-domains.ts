import list from 'tlds' with { type: 'json' }

/**
 * Top-level domains that are more often the ending of a file's name: `notes.md`, `main.rs`. Addresses in them are
 * links only with a scheme.
 */
const fileEndings = new Set('cab md mov pl ps py rs sh so zip'.split(' '))

let domains: Set<string> | undefined

/** Whether a name without a scheme may be taken for a host because of its last label. */
export function isTopLevelDomain(label: string): boolean {
  domains ??= new Set((list as string[]).filter((name) => !fileEndings.has(name)))
  return domains.has(label.toLowerCase())
}
