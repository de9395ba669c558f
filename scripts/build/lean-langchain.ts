import type { Plugin } from 'vite';

/**
 * Parts of LangChain that this app never uses, and what stands in their place. They would be most of
 * what is read, compiled and kept in memory at the start of every run.
 */
const REPLACED: Readonly<Record<string, string>> = {
  // Makes objects of any of LangChain's classes from stored JSON, and so brings them all in. The app
  // stores nothing but plain JSON, and what looks like such an object in it is a model's words: it stays
  // what it is.
  '@langchain/core/dist/load/index.js':
    'export const load = async (text) => JSON.parse(text);\nexport const load_exports = {};',
  // Sends traces to a service. This app sends none (`forgetTracing`).
  'langsmith/dist/client.js': 'export class Client {}',
};

/** Leaves out what is named above. The build fails where a library has moved it. */
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
      if (lost.length > 0) this.error(`These files are not where they were: ${lost.join(', ')}`);
    },
  };
}
