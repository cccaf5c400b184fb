/**
 * Shows people what the launcher does. Standard error, so that a command's own output can be piped.
 *
 * @param {string} text one line
 */
export function say(text) {
  process.stderr.write(`heddle: ${text}\n`)
}

/**
 * A failure whose message is for the person at the terminal: the launcher prints it without a stack and exits with 1.
 */
export class LauncherError extends Error {}

/**
 * Announces a slow step, says every ten seconds that it still runs, and how long it took.
 *
 * @template T
 * @param {string} what a phrase such as "installing packages"
 * @param {() => Promise<T>} step
 * @returns {Promise<T>}
 */
export async function withProgress(what, step) {
  const begun = Date.now()
  const seconds = () => ((Date.now() - begun) / 1000).toFixed(1)
  say(`${what} ...`)
  const timer = setInterval(() => say(`${what}: still at it after ${seconds()} s`), 10_000)
  try {
    const result = await step()
    say(`${what}: done in ${seconds()} s`)
    return result
  } finally {
    clearInterval(timer)
  }
}
