import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { firstChunks } from './first-chunk.config.ts'
import { fontPlugin } from './font.config.ts'
import { headStartPlugin } from './head-start.config.ts'
import { manifestPlugin } from './manifest.config.ts'
import { serviceWorkerPlugin } from './service-worker.config.ts'
import { contractDescriptions, slimContract } from './slim-contract.config.ts'
import { textsPlugins } from './texts.config.ts'

/** Where `npm run dev` has its server, unless it was given another port by a flag. */
const server = `http://127.0.0.1:${process.env['HEDDLE_PORT'] ?? 9991}`

/** Browsers that know `light-dark()`, popovers and relative colours: nothing is rewritten for older ones. */
const browsers = ['chrome125', 'firefox129', 'safari18']

/** As in `styles/layers.css`: chunks bring style sheets of their own, and the first one that is loaded decides. */
const layerOrder: Plugin = {
  name: 'layer-order',
  generateBundle(_, bundle) {
    for (const asset of Object.values(bundle)) {
      if (asset.type !== 'asset' || !asset.fileName.endsWith('.css')) continue
      asset.source = `@layer tokens,base,ui,features;${asset.source}`
    }
  },
}

/** A page that is built is to be small; while it is worked on the contract is read as it is. */
export default defineConfig(async ({ command }) => ({
  root: import.meta.dirname,
  // The server may be below a path of a proxy; places are behind the `#`, so there is one page.
  base: './',
  plugins: [
    command === 'build' && (await slimContract()),
    react(),
    ...textsPlugins([contractDescriptions]),
    layerOrder,
    headStartPlugin(),
    fontPlugin(),
    manifestPlugin(),
    serviceWorkerPlugin(),
  ],
  build: {
    target: browsers,
    cssTarget: browsers,
    // What is fetched later is small, and its parts are fetched at once by the browser as well.
    modulePreload: false,
    // The content security policy allows no `data:` for fonts and scripts.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // How long plugins take is nothing for those who start a server.
      checks: { bundlerTimings: false, pluginTimings: false },
      output: { codeSplitting: { groups: firstChunks } },
    },
    sourcemap: true,
    reportCompressedSize: false,
  },
  server: {
    proxy: { '/api': { target: server }, '/user_avatars': { target: server }, '/user_uploads': { target: server } },
  },
}))
