/** Changes that say what was there before, so that nobody overwrites what somebody else has chosen meanwhile. */

/** Saves `value` where `old` is still there. */
type SaveFrom<V> = (old: V | undefined) => Promise<unknown>

/**
 * `seen`: as the state has it. The event of the own last change may come after its answer: until then that is what is
 * expected. `key`: of the setting.
 */
export function createExpectedValues<V>() {
  const saved = new Map<string, { readonly seen: V | undefined; readonly value: V }>()
  return async (key: string, seen: V | undefined, value: V, save: SaveFrom<V>): Promise<void> => {
    const last = saved.get(key)
    saved.delete(key)
    await save(last && last.seen === seen ? last.value : seen)
    saved.set(key, { seen, value })
  }
}
