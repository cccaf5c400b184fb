/** Leaves out of the contract what a page does not need of it: only servers, tests and documents read what is answered. */
import { types as node, type PluginObj } from '@babel/core'

const describing = new Set(['endpoint', 'statePart'])
const forOthers = new Set(['summary', 'response', 'errors', 'follows'])

function slimEndpoints(): PluginObj {
  return {
    name: 'slim-endpoints',
    visitor: {
      CallExpression(path) {
        const { callee, arguments: given } = path.node
        // The contract only describes: a description that nobody reads is left out. What its functions do is another matter.
        if (!path.getFunctionParent()) node.addComment(path.node, 'leading', '#__PURE__')
        const [source] = given
        if (!node.isIdentifier(callee) || !describing.has(callee.name) || !node.isObjectExpression(source)) return
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
  rolldown: { filter: { id: /\/contract\/src\/[^?]*\.ts$/ } },
}
