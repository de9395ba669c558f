import type { Plugin } from 'vite';

/** An import of a Node built-in module in a rendered chunk. */
const IMPORT = /^import ([^;"']+?) from ["'](node:[\w/]+)["'];?$/gm;

/** Chunks that must start on any Node version, to hand over to a newer one. */
const ANY_NODE = new Set(['cli', 'web', 'launch', 'relaunch']);

/**
 * Loads Node's built-in modules with `process.getBuiltinModule` instead of `import`. Importing one as an
 * ES module reads all of its exports, including those that load something on access: `http.WebSocket`
 * loads all of undici; `crypto.webcrypto`, `util.diff` and others load more. That costs every start 30 to
 * 60 ms for code that is never used.
 */
export function directBuiltins(): Plugin {
  return {
    name: 'hyperagent:direct-builtins',
    renderChunk: (code, chunk) => {
      if (ANY_NODE.has(chunk.name)) return null;
      const changed = code.replace(IMPORT, (_all, clause: string, name: string) =>
        toConstants(clause.trim(), `process.getBuiltinModule("${name}")`),
      );
      return changed === code ? null : { code: changed, map: null };
    },
  };
}

/** The clause of an import (`a`, `* as a`, `{ b as c }`, or `a, { b }`) as constants. */
function toConstants(clause: string, module: string): string {
  const [, whole, names] =
    /^(?:(?:\* as )?([\w$]+))?(?:\s*,\s*)?(?:\{([^}]*)\})?$/.exec(clause) ?? [];
  if (whole === undefined && names === undefined) {
    throw new Error(
      `Unsupported form of import: ${clause}. Extend toConstants in direct-builtins.ts.`,
    );
  }
  const parts = [
    ...(whole === undefined ? [] : [`${whole} = ${module}`]),
    ...(names === undefined ? [] : [`{${names.replaceAll(' as ', ': ')}} = ${whole ?? module}`]),
  ];
  return `const ${parts.join(', ')};`;
}
