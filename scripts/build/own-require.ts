import type { Plugin } from 'vite';

/**
 * fflate declares its own `require`, and electron-vite declares one in every chunk that seems to need it.
 * Two declarations of one name are a syntax error, so this renames fflate's.
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

/**
 * PDFKit loads its built-in fonts when they are used, under names that only its own package has (`#standard-fonts/…`).
 * In a bundle they belong to nobody, so this gives them their public names.
 */
export function publicFontNames(): Plugin {
  return {
    name: 'hyperagent:public-font-names',
    transform: (code, id) => {
      if (!/[\\/]pdfkit[\\/]js[\\/]pdfkit\.node\.mjs$/.test(id)) return null;
      return { code: code.replaceAll("'#standard-fonts/", "'pdfkit/standard-fonts/"), map: null };
    },
  };
}
