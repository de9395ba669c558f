import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';

/** Emits the engine of dynamic skills, a WASM file, next to the thread that loads it. */
export function scriptEngine(): Plugin {
  return {
    name: 'hyperagent:script-engine',
    generateBundle() {
      const file = createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm');
      this.emitFile({ type: 'asset', fileName: 'quickjs.wasm', source: readFileSync(file) });
    },
  };
}
