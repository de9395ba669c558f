import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { diagramPage } from './scripts/build/diagram-page.ts';
import { directBuiltins } from './scripts/build/direct-builtins.ts';
import { leanLangChain } from './scripts/build/lean-langchain.ts';
import { ownRequire, publicFontNames } from './scripts/build/own-require.ts';
import { scriptEngine } from './scripts/build/script-engine.ts';
import { startChunks } from './scripts/build/start-chunks.ts';
import { WINDOW_ASSETS, WINDOW_RESOLVE } from './scripts/build/window-modules.ts';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/**
 * What stays outside the bundle of main: the native modules, and libraries that look for files of
 * their own beside them (seccomp filters, protocol descriptions, WebAssembly). All else is bundled, because one
 * file is read and compiled much faster than a thousand.
 */
const EXTERNAL = [
  'better-sqlite3',
  'koffi',
  '@imagemagick/magick-wasm',
  '@resvg/resvg-wasm',
  '@hyzyla/pdfium',
  'tesseract.js-core',
  'playwright-core',
];

/**
 * Libraries that say nothing of it, and whose modules do nothing but define things: what is not used of
 * them is left out. LangGraph's entry is not among them, for it sets up what its tasks find their run by.
 */
const DEFINES_ONLY = /[\\/]node_modules[\\/](@langchain|langsmith|zod[\\/]v3)[\\/]/;
const LANGGRAPH_ENTRY = /[\\/]@langchain[\\/]langgraph[\\/]dist[\\/]index\.js$/;

function hasSideEffects(id: string): boolean {
  return !DEFINES_ONLY.test(id) || LANGGRAPH_ENTRY.test(id);
}

/** The licenses of what is in the bundle: whoever hands out a package hands them out too. */
const LICENSES = { fileName: 'licenses.md' };

export default defineConfig({
  main: {
    plugins: [directBuiltins(), leanLangChain(), ownRequire(), publicFontNames(), scriptEngine()],
    build: {
      externalizeDeps: false,
      target: 'node22.12',
      license: LICENSES,
      minify: false,
      rolldownOptions: {
        input: {
          index: path('src-main/index.ts'),
          web: path('src-main/web.ts'),
          cli: path('src-main/cli.ts'),
          'backup-worker': path('src-main/storage/backup-worker.ts'),
          'document-worker': path('src-main/documents/document-worker.ts'),
          'picture-process': path('src-main/pictures/picture-process.ts'),
          'scan-process': path('src-main/scans/scan-process.ts'),
          'index-worker': path('src-main/library/index-worker.ts'),
          'landlock-launcher': path('src-main/sandbox/landlock-provider/landlock-launcher.ts'),
          'watch-worker': path('src-main/main-loop/watch-worker.ts'),
          'yaml-parser': path('src-main/skills/markdown/yaml-parser.ts'),
          'slide-worker': path('src-main/slides/slide-worker.ts'),
          'skill-worker': path('src-main/skills/dynamic/worker/skill-worker.ts'),
        },
        external: EXTERNAL,
        treeshake: { moduleSideEffects: hasSideEffects },
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name]-[hash].js',
          codeSplitting: { ...startChunks(path('./')), includeDependenciesRecursively: false },
          // Less to read at every start; names stay, so that a stack trace still says something.
          minify: { compress: true, mangle: false, codegen: true },
        },
      },
    },
  },
  preload: {
    build: {
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: path('src-preload/index.ts') },
        // A sandboxed preload cannot load modules: one CommonJS file with everything in it.
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: path('src-renderer'),
    plugins: [react(), diagramPage()],
    resolve: WINDOW_RESOLVE,
    build: {
      ...WINDOW_ASSETS,
      emptyOutDir: true,
      license: LICENSES,
      minify: true,
      rolldownOptions: { input: path('src-renderer/index.html') },
    },
  },
});
