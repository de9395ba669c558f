import http from 'node:http';
import { SourceMap, type SourceMapPayload } from 'node:module';
import path from 'node:path/posix';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { parseOutsideJson } from '../base/outside-json.ts';
import { streamAgent } from '../preview/stream-agent.ts';
import type { WorkspaceFiles } from '../sandbox/types.ts';

/** A line of a file of the workspace. */
export interface SourcePlace {
  readonly file: string;
  readonly line: number;
}

export interface SourceParts {
  /** The folder of the app in the workspace. */
  readonly folder: string;
  readonly files: WorkspaceFiles;
  /** The preview that served what is to be found. */
  readonly preview: { readonly host: string; readonly connect: () => Duplex };
  readonly signal: AbortSignal;
}

const MODULE_MS = 5_000;
const MAP_MARK = '\n//# sourceMappingURL=data:application/json;base64,';
/** Where servers keep the files of their pages. */
const ROOTS = ['', 'public', 'static', 'client', 'dist'];
const LINES_AROUND = 2;
const READ_BYTES = 256 * 1024;
/** Of a line that is shown. */
const LINE_CHARS = 160;

const Payload = z.object({
  mappings: z.string(),
  sources: z.array(z.string().nullable()),
  sourcesContent: z.array(z.string().nullable()).nullish(),
});

/**
 * Where in the workspace the code is that a server sent from `url`, or that lies at this path inside the sandbox. Lines
 * of what was compiled are those of the source, where it says so. Null for what is no file of the app.
 */
export async function sourcePlace(
  place: { readonly url: string; readonly line: number; readonly column: number },
  parts: SourceParts,
): Promise<SourcePlace | null> {
  const inside = /^(?:file:\/\/)?\/workspace\/(.+)$/.exec(place.url)?.[1];
  if (inside !== undefined) return await existing([inside], place.line, parts);
  const url = URL.parse(place.url);
  if (url === null || url.host !== parts.preview.host) return null;
  const served = decodeURIComponent(url.pathname.replace(/^\/@fs\/workspace\//, '/@fs/'));
  const candidates = served.startsWith('/@fs/')
    ? [served.slice('/@fs/'.length)]
    : ROOTS.map((root) => path.join(parts.folder, root, served === '/' ? 'index.html' : served));
  const found = await existing(candidates, place.line, parts);
  if (found === null) return null;
  const line = await sourceLine(url, place, parts).catch(() => null);
  return line === null ? found : { ...found, line };
}

async function existing(
  candidates: readonly string[],
  line: number,
  { files }: SourceParts,
): Promise<SourcePlace | null> {
  for (const file of candidates) {
    const isThere = await files.read(file, 1).then(
      () => true,
      () => false,
    );
    if (isThere) return { file, line };
  }
  return null;
}

/** The source of a module as the server last read it; null where the module does not say, or cannot be read. */
export async function servedSource(url: URL, parts: SourceParts): Promise<string | null> {
  const map = await mapOf(url, parts);
  return map?.sourcesContent?.[0] ?? null;
}

/** The line of the source, by the map that the compiled module carries. */
async function sourceLine(
  url: URL,
  { line, column }: { readonly line: number; readonly column: number },
  parts: SourceParts,
): Promise<number | null> {
  const map = await mapOf(url, parts);
  if (map === null) return null;
  const entry = new SourceMap(map as unknown as SourceMapPayload).findEntry(line - 1, column - 1);
  return 'originalLine' in entry ? entry.originalLine + 1 : null;
}

/** The map that a compiled module carries; null for one that has none. */
async function mapOf(
  url: URL,
  { preview, signal }: SourceParts,
): Promise<z.infer<typeof Payload> | null> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(MODULE_MS)]);
  const module = await getText(url, preview, limit);
  const at = module.lastIndexOf(MAP_MARK);
  if (at < 0) return null;
  const encoded = module.slice(at + MAP_MARK.length).split('\n', 1)[0] ?? '';
  return Payload.parse(parseOutsideJson(Buffer.from(encoded, 'base64').toString('utf8')));
}

async function getText(
  url: URL,
  { host, connect }: SourceParts['preview'],
  signal: AbortSignal,
): Promise<string> {
  const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const path = `${url.pathname}${url.search}`;
    const agent = streamAgent(connect);
    const request = http.request({ path, headers: { host }, agent, signal }, resolve);
    request.on('error', reject);
    request.end();
  });
  return await text(answer);
}

/** The line of a file with those around it, each with its number. */
export async function linesAround(
  { file, line }: SourcePlace,
  files: WorkspaceFiles,
): Promise<string> {
  const { data } = await files.read(file, READ_BYTES);
  const lines = data.toString('utf8').split('\n');
  const from = Math.max(0, line - 1 - LINES_AROUND);
  return lines
    .slice(from, line + LINES_AROUND)
    .map((one, index) => {
      const number = from + index + 1;
      return `${number === line ? '>' : ' '} ${number} | ${one.slice(0, LINE_CHARS)}`;
    })
    .join('\n');
}
