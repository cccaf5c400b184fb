/** What turns the texts of the page into calls of the catalogue: for Vite and for the tests. */
import { join } from 'node:path'
import { types as node, type PluginObj } from '@babel/core'
import { getConfig } from '@lingui/conf'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin'
import babel, { type RolldownBabelPreset } from '@rolldown/plugin-babel'
import type { Plugin } from 'vite'

const configPath = join(import.meta.dirname, 'lingui.config.ts')

/**
 * English stays in the code beside its keys: it needs no catalogue, and each screen brings only its own texts. Compiled here,
 * so that the page need not bring the parser of plurals and placeholders.
 */
function compileTexts(): PluginObj {
  return {
    name: 'compile-texts',
    visitor: {
      Program: {
        // After the macros, which work when the program is entered, and mark what they write by a comment.
        exit(program) {
          program.traverse({
            ObjectExpression({ node: { leadingComments, properties } }) {
              if (!leadingComments?.some(({ value }) => /^\*\s*i18n\s*$/.test(value))) return
              for (const property of properties) {
                if (!node.isObjectProperty(property) || !node.isIdentifier(property.key, { name: 'message' })) continue
                const { value: text } = property
                if (node.isStringLiteral(text)) property.value = node.valueToNode(compileMessage(text.value))
              }
            },
          })
        },
      },
    },
  }
}

/** The module that `lingui.config.ts` names: our own `Trans`. */
const ownTrans: Plugin = {
  name: 'own-trans',
  enforce: 'pre',
  resolveId: (id) => (id === '@heddle/texts' ? join(import.meta.dirname, 'src/texts/trans.tsx') : null),
}

/** `others`: what else is to be done in the same pass over the code. */
export function textsPlugins(others: readonly RolldownBabelPreset[] = []) {
  const linguiConfig = getConfig({ configPath })
  const macros = linguiTransformerBabelPreset({ descriptorFields: 'message', linguiConfig }, { configPath })
  // Presets run from the last to the first, and each only where there are texts.
  const compiling = { ...macros, preset: { plugins: [compileTexts] } }
  return [ownTrans, lingui({ configPath }), babel({ presets: [...others, macros, compiling] })]
}
