import type { Plugin } from 'vite';

/** An import of one of Node's own modules, as it stands in a rendered chunk. */
const IMPORT = /^import ([^;"']+?) from ["'](node:[\w/]+)["'];?$/gm;

/** Chunks that must start on a Node of any age, to hand over to a newer one. */
const ANY_NODE = new Set(['cli', 'web', 'launch', 'relaunch']);

/**
 * Takes Node's own modules from `process.getBuiltinModule` in place of an `import`. To import one as
 * an ES module reads all of its exports, also those that load something when they are read:
 * `http.WebSocket` brings all of undici, `crypto.webcrypto`, `util.diff` and others bring more. That
 * is 30 to 60 ms of every start for what is never used.
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
    throw new Error(`The build does not know this form of import: ${clause}`);
  }
  const parts = [
    ...(whole === undefined ? [] : [`${whole} = ${module}`]),
    ...(names === undefined ? [] : [`{${names.replaceAll(' as ', ': ')}} = ${whole ?? module}`]),
  ];
  return `const ${parts.join(', ')};`;
}
