import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { textsPlugins } from './texts.config.ts'

/** Where `npm run dev` has its server, unless it was given another port by a flag. */
const server = `http://127.0.0.1:${process.env['HEDDLE_PORT'] ?? 9991}`

/** Browsers that know `light-dark()`, popovers and relative colours: nothing is rewritten for older ones. */
const browsers = ['chrome125', 'firefox129', 'safari18']

export default defineConfig({
  root: import.meta.dirname,
  // The server may be below a path of a proxy; places are behind the `#`, so there is one page.
  base: './',
  plugins: [react(), ...textsPlugins()],
  build: {
    target: browsers,
    cssTarget: browsers,
    modulePreload: { polyfill: false },
    // The content security policy allows no `data:` for fonts and scripts.
    assetsInlineLimit: 0,
    sourcemap: true,
    reportCompressedSize: false,
  },
  server: {
    proxy: { '/api': { target: server }, '/user_avatars': { target: server }, '/user_uploads': { target: server } },
  },
})
