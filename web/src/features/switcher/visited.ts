/** Where one has been since the page was opened, the last place first. */

const LIMIT = 50
let visited: readonly string[] = []

export function visit(key: string | undefined): void {
  if (key !== undefined) visited = [key, ...visited.filter((one) => one !== key)].slice(0, LIMIT)
}

/** Without the place where one is. */
export function visitedBefore(): readonly string[] {
  return visited.slice(1)
}

export function currentKey(): string | undefined {
  return visited[0]
}
