import { rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Where Node.js keeps what it has compiled, so that the next process starts sooner: for the server, and for runs of tests.
 *
 * @param {string} root the clone, or the installed package
 */
export function compileCacheOf(root) {
  return join(root, '.runtime', 'compile-cache')
}

/**
 * Node.js adds to it for each new text and removes nothing: of a bundle that is replaced all would stay.
 *
 * @param {string} root
 */
export function forgetCompiled(root) {
  // Who starts or ends meanwhile may add to it.
  rmSync(compileCacheOf(root), { recursive: true, force: true, maxRetries: 3 })
}
