import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { build, type Plugin } from 'vite';

const ENTRY = fileURLToPath(new URL('../../src-renderer/diagram-page/draw.ts', import.meta.url));

/**
 * Adds `diagram.html`, the page that draws diagrams. It is one file with everything in it: its frame has no
 * origin, and such a page loads nothing from a server that answers only its own pages.
 */
export function diagramPage(): Plugin {
  return {
    name: 'diagram-page',
    apply: 'build',
    async generateBundle() {
      const source = pageAround(await bundle());
      this.emitFile({ type: 'asset', fileName: 'diagram.html', source });
    },
  };
}

async function bundle(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'esnext',
      rolldownOptions: { input: ENTRY, output: { format: 'iife', codeSplitting: false } },
    },
  });
  const [made, ...others] = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  if (made?.type !== 'chunk' || others.length > 0) {
    throw new Error('The page that draws diagrams must be one script.');
  }
  return made.code;
}

/** Text that would end the script, or begin another one, is written so that it only stands in its strings. */
function pageAround(code: string): string {
  const script = code.replaceAll(/<(?=!--|\/?script)/gi, '\\x3C');
  // Throws where that text was no part of a string or of a pattern.
  new Script(script);
  return `<!doctype html>\n<meta charset="utf-8" />\n<title>Diagram</title>\n<body></body>\n<script>${script}</script>\n`;
}
