import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { markdownPlugin } from './build/markdown-plugin.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  root: here('.'),
  // The documents, which the guides are made of, lie beside.
  server: {
    fs: { allow: [here('..')] },
    proxy: { '/web': 'http://127.0.0.1:3000', '/extract': 'http://127.0.0.1:3000' },
  },
  plugins: [markdownPlugin(here('..'))],
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    outDir: here('dist'),
    emptyOutDir: true,
    target: 'es2022',
    // Nothing is inlined into the page: the content security policy takes scripts and styles from files alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The viewer of the API comes as one piece, on a page of its own.
    chunkSizeWarningLimit: 1800,
    rollupOptions: { input: [here('index.html'), here('api.html')] },
  },
})
