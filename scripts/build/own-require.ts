import type { Plugin } from 'vite';

/**
 * fflate makes a `require` of its own, and so does electron-vite in every chunk that seems to need one: two
 * of one name are no program any more. This gives fflate's another name.
 */
export function ownRequire(): Plugin {
  return {
    name: 'hyperagent:own-require',
    transform: (code, id) => {
      if (!/[\\/]fflate[\\/]esm[\\/]index\.mjs$/.test(id)) return null;
      const changed = code
        .replace('var require = createRequire(', 'var ownRequire = createRequire(')
        .replace("(_a = require('worker_threads')", "(_a = ownRequire('worker_threads')");
      return { code: changed, map: null };
    },
  };
}
