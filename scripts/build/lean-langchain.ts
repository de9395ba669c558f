import type { Plugin } from 'vite';

/**
 * Parts of LangChain that this app never uses, with their replacements. They would be most of what every
 * run reads, compiles and keeps in memory at its start.
 */
const REPLACED: Readonly<Record<string, string>> = {
  // Revives objects of any LangChain class from stored JSON, and therefore imports all of them. The app
  // stores only plain JSON; anything in it that looks like such an object is text of a model and must
  // stay text.
  '@langchain/core/dist/load/index.js':
    'export const load = async (text) => JSON.parse(text);\nexport const load_exports = {};',
  // Sends traces to a service. This app sends none (`forgetTracing`).
  'langsmith/dist/client.js': 'export class Client {}',
  // What such a trace consists of. LangGraph makes one for each step, to keep its own state in `extra`.
  'langsmith/dist/run_trees.js': `
    export class RunTree { constructor(config) { Object.assign(this, config); } }
    export const isRunTree = () => false;
    export const isRunnableConfigLike = () => false;
    export const convertToDottedOrderFormat = (epoch, id) => {
      const at = new Date(epoch).toISOString();
      return { dottedOrder: at.replace(/[-:.]/g, '') + id, microsecondPrecisionDatestring: at };
    };`,
  // Asks for random bytes at every id, from a module of Node that nothing else loads.
  '@langchain/core/dist/utils/uuid/rng.js': `
    const { randomFillSync } = process.getBuiltinModule('node:crypto');
    const pool = new Uint8Array(256);
    let used = pool.length;
    export default function rng() {
      if (used === pool.length) { randomFillSync(pool); used = 0; }
      return pool.slice(used, (used += 16));
    }`,
};

/** Replaces the files above. The build fails if a library has moved one. */
export function leanLangChain(): Plugin {
  const found = new Set<string>();
  return {
    name: 'hyperagent:lean-langchain',
    load: (id) => {
      const path = id.replaceAll('\\', '/');
      const name = Object.keys(REPLACED).find((one) => path.endsWith(`/node_modules/${one}`));
      if (name === undefined) return null;
      found.add(name);
      return { code: REPLACED[name] ?? '', map: null, moduleSideEffects: false };
    },
    buildEnd(error) {
      if (error !== undefined) return;
      const lost = Object.keys(REPLACED).filter((name) => !found.has(name));
      if (lost.length > 0)
        this.error(
          `These files have moved: ${lost.join(', ')}. Update REPLACED in lean-langchain.ts.`,
        );
    },
  };
}
