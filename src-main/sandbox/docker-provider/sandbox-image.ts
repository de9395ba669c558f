import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { AppError } from '#contract/errors.ts';
import { isAbortError } from '../../base/abort.ts';
import { sha256 } from '../../base/canonical-json.ts';
import { BuildLine, ImageAnswer } from './engine-answers.ts';
import { type EngineClient, EngineError } from './engine-client.ts';

/** Label on every stage of the Dockerfile. */
const LABEL = 'hyperagent.sandbox';
/** Certificate bundles of whole systems have about 200 kB. */
const MAX_AUTHORITIES_BYTES = 4 * 1024 * 1024;
const PROGRESS_EVERY_MS = 250;
const KEPT_LINES = 20;

/** The image that commands run in, named after the hash of its Dockerfile. */
export interface SandboxImage {
  readonly tag: string;
  readonly dockerfile: string;
}

export async function readSandboxImage(resourcesDir: string): Promise<SandboxImage> {
  const dockerfile = await readFile(join(resourcesDir, 'Dockerfile'), 'utf8');
  return { tag: `hyperagent-sandbox:${sha256(dockerfile).slice(0, 16)}`, dockerfile };
}

/** The id of the image in the engine; null if it has not been built yet. */
export async function findImageId(client: EngineClient, tag: string): Promise<string | null> {
  try {
    const path = `/images/${encodeURIComponent(tag)}/json`;
    return ImageAnswer.parse(await client.request({ method: 'GET', path })).Id;
  } catch (error) {
    if (error instanceof EngineError && error.status === 404) return null;
    throw error;
  }
}

export interface BuildOptions {
  readonly environment: NodeJS.ProcessEnv;
  readonly onProgress: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Builds the image. Throws `SANDBOX_BUILD_FAILED` with the last lines of the build. */
export async function buildImage(
  client: EngineClient,
  image: SandboxImage,
  { environment, onProgress, signal }: BuildOptions,
): Promise<void> {
  const body = await packContext({
    Dockerfile: Buffer.from(image.dockerfile),
    'authorities.pem': await readAuthorities(environment),
  });
  const query = new URLSearchParams({
    t: image.tag,
    buildargs: JSON.stringify(proxySettings(environment)),
  });
  const lines: string[] = [];
  try {
    const path = `/build?${query}`;
    const options = { contentType: 'application/x-tar', idleMs: null, signal } as const;
    const response = await client.stream({ method: 'POST', path, body, ...options });
    const report = atMostEvery(PROGRESS_EVERY_MS, onProgress);
    for await (const text of createInterface({ input: response })) {
      const line = BuildLine.parse(JSON.parse(text));
      if (typeof line.error === 'string') throw new Error(line.error);
      for (const part of (line.stream ?? line.status ?? '').split('\n')) {
        const shown = stripVTControlCharacters(part).trim().slice(0, 200);
        if (shown === '') continue;
        lines.push(shown);
        if (lines.length > KEPT_LINES) lines.shift();
        report(shown, shown.startsWith('Step '));
      }
    }
  } catch (error) {
    if (signal.aborted || isAbortError(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError(
      'SANDBOX_BUILD_FAILED',
      `The image of the Docker sandbox could not be built: ${reason}. Building needs the network once. Check the connection and try again, or choose the sandbox of this system.`,
      { cause: error, details: { lastLines: lines } },
    );
  }
  await removeStages(client);
}

/** The files of a build as the tar archive that engines expect. */
async function packContext(files: Readonly<Record<string, Buffer>>): Promise<Buffer> {
  const { pack } = await import('tar-stream');
  const archive = pack();
  for (const [name, content] of Object.entries(files)) archive.entry({ name }, content);
  archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Removes build stages that are no longer needed. */
async function removeStages(client: EngineClient): Promise<void> {
  const filters = JSON.stringify({ dangling: ['true'], label: [LABEL] });
  const path = `/images/prune?filters=${encodeURIComponent(filters)}`;
  await client.request({ method: 'POST', path });
}

/** This computer's additional certificate authorities, for downloads during the build. */
async function readAuthorities({
  NODE_EXTRA_CA_CERTS,
  SSL_CERT_FILE,
}: NodeJS.ProcessEnv): Promise<Buffer> {
  const file = NODE_EXTRA_CA_CERTS ?? SSL_CERT_FILE;
  if (file === undefined || file === '') return Buffer.alloc(0);
  const bundle = await readFile(file).catch(() => Buffer.alloc(0));
  return bundle.length > MAX_AUTHORITIES_BYTES ? Buffer.alloc(0) : bundle;
}

function proxySettings(environment: NodeJS.ProcessEnv): Record<string, string> {
  const names = ['http_proxy', 'https_proxy', 'no_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = environment[name];
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
}

/** A build prints thousands of lines: passes on the important ones, and others at most every `ms`. */
function atMostEvery(
  ms: number,
  report: (line: string) => void,
): (line: string, important: boolean) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (line, important) => {
    const now = performance.now();
    if (!important && now - last < ms) return;
    last = now;
    report(line);
  };
}
