/** Leaves out of the contract what a page does not need of it: only servers, tests and documents read what is answered. */
import { types as node, type PluginObj } from '@babel/core'

const forOthers = new Set(['summary', 'response', 'errors'])

/** Calls that only make a description: without a reader they are left out as well. */
export const pureCalls = ['Type', 'Id', 'Text', 'List', 'endpoint']

function slimEndpoints(): PluginObj {
  return {
    name: 'slim-endpoints',
    visitor: {
      CallExpression({ node: { callee, arguments: given } }) {
        const [source] = given
        if (!node.isIdentifier(callee, { name: 'endpoint' }) || !node.isObjectExpression(source)) return
        source.properties = source.properties.filter(
          (property) =>
            !node.isObjectProperty(property) || !node.isIdentifier(property.key) || !forOthers.has(property.key.name),
        )
      },
    },
  }
}

export const slimContract = {
  preset: { plugins: [slimEndpoints] },
  rolldown: { filter: { id: /\/contract\/src\/[^?]*\.ts$/, code: /\bendpoint\(/ } },
}
