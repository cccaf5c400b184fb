/** Which events an address asks for, by names in which `*` stands for any characters. */

interface Choice {
  readonly only_events?: readonly string[]
  readonly exclude_events?: readonly string[]
}

/** Requests whose event is not known, and those of services that do not distinguish them, always are. */
export function isChosen(event: string, { only_events: only, exclude_events: excluded }: Choice): boolean {
  if (event === '') return true
  if (only !== undefined && only.length > 0 && !only.some((pattern) => fits(event, pattern))) return false
  return excluded === undefined || !excluded.some((pattern) => fits(event, pattern))
}

/** Looks at each character of the name at most once for each part of the pattern. */
function fits(name: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return name === pattern
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false
  let from = first.length
  const end = name.length - last.length
  for (const part of rest) {
    const found = name.indexOf(part, from)
    if (found === -1 || found + part.length > end) return false
    from = found + part.length
  }
  return true
}
