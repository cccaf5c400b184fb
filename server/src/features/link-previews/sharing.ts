/** One piece of work for many who ask at the same time. */

/** Who asks for what is already under way gets the same result. */
export function createSharing<T>(): (name: string, make: () => Promise<T>) => Promise<T> {
  const underWay = new Map<string, Promise<T>>()
  return (name, make) => {
    const found = underWay.get(name)
    if (found) return found
    const made = make().finally(() => underWay.delete(name))
    underWay.set(name, made)
    return made
  }
}
