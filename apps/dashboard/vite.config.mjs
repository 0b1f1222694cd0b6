// @ts-check
// Builds the dashboard into dist/apps/dashboard: index.html, and assets whose names hold a hash of their content.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const root = resolve(import.meta.dirname, '../..');
const outDir = join(root, 'dist/apps/dashboard');
// A runner of tests that builds has its own, and would get React's development build, which is half as large again.
process.env['NODE_ENV'] = 'production';

/** Compresses once what the gateway serves many times. @type {import('vite').Plugin} */
const brotli = {
  name: 'brotli',
  closeBundle() {
    const assets = join(outDir, 'assets');
    for (const name of readdirSync(assets).filter((file) => /\.(js|css|svg)$/.test(file)))
      writeFileSync(join(assets, `${name}.br`), brotliCompressSync(readFileSync(join(assets, name))));
  },
};

export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  plugins: [react(), brotli],
  resolve: { alias: { '@switchboard/template-rules': join(root, 'libs/template-rules/src/index.ts') } },
  build: {
    outDir,
    emptyOutDir: true,
    // The content policy of the page allows no data: scripts, and inlined files would count for every page.
    assetsInlineLimit: 0,
    // The first that know `light-dark()`: what stands in for it elsewhere gives one page one theme, and the preview's phone
    // has its own.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // One file for the first load: Rolldown would split it by the pages that share modules, which adds 4 kB (brotli).
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first-load', tags: ['$initial'] }] } } },
  },
});
