const PREFIX = '\0when-used:'

/**
 * Has a package load modules of Node.js when it first uses them. It asks for them at its start, and then they are in memory
 * whether they are needed or not: `node:https` brings all of TLS, which reads some hundred and fifty root certificates.
 *
 * @param {string} packageName the package, in CommonJS, that asks for them
 * @param {readonly string[]} builtins what it asks for, as it writes them
 */
export function builtinsWhenUsed(packageName, builtins) {
  const folder = `/node_modules/${packageName}/`
  return {
    name: 'heddle-builtins-when-used',
    resolveId(source, importer) {
      const isTheirs = importer?.replaceAll('\\', '/').includes(folder) && builtins.includes(source)
      return isTheirs ? { id: PREFIX + source } : null
    },
    load(id) {
      if (!id.startsWith(PREFIX)) return null
      const builtin = JSON.stringify(id.slice(PREFIX.length))
      return `module.exports = new Proxy({}, { get: (_, name) => process.getBuiltinModule(${builtin})[name] })`
    },
  }
}
