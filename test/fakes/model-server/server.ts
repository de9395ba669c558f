import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import os from 'node:os';
import { ScriptPlayer } from '#main/models/script/script.ts';
import { Library } from './library.ts';
import { MESSAGES_ROUTES } from './messages-routes.ts';
import { OLLAMA_ROUTES } from './ollama-routes.ts';
import { OPENAI_ROUTES } from './openai-routes.ts';
import { ServerOptions, type ServerOptionsInput, type WireStep } from './options.ts';
import { type RecordedRequest, Recording } from './recording.ts';
import { RESPONSES_ROUTES } from './responses-routes.ts';

/** A request with the place where its answer goes. */
export interface Exchange {
  readonly recorded: RecordedRequest;
  readonly response: ServerResponse;
}

/** What the handlers share. */
export interface Parts {
  readonly options: ServerOptions;
  readonly library: Library;
  readonly player: ScriptPlayer<WireStep>;
  /** Answers chats from their request alone, in place of the script. */
  readonly rule: ServerRule | null;
}

/** The text of an answer; `format` is the schema that it is held to. */
export type ServerRule = (request: {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly format: Readonly<Record<string, unknown>> | null;
}) => string;

export type Handler = (exchange: Exchange, parts: Parts) => Promise<void> | void;

/** A scripted model server that speaks the protocols of Ollama, OpenAI and Anthropic, over real HTTP. */
export interface FakeModelServer extends AsyncDisposable {
  readonly url: string;
  readonly recording: Recording;
  /** How often a model was loaded, by cold start or by a change of window. */
  readonly loads: () => number;
  /** Resolves when a request to `path` has arrived, and gives it. */
  arrival(path: string): Promise<RecordedRequest>;
  close(): Promise<void>;
}

const ROUTES: Readonly<Record<string, Handler>> = {
  ...OLLAMA_ROUTES,
  ...OPENAI_ROUTES,
  ...RESPONSES_ROUTES,
  ...MESSAGES_ROUTES,
};
const PATHS = new Set(Object.keys(ROUTES).map((route) => route.split(' ')[1]));

export async function startModelServer(
  input: ServerOptionsInput = {},
  rule: ServerRule | null = null,
): Promise<FakeModelServer> {
  const options = ServerOptions.parse(input);
  const parts: Parts = {
    options,
    library: new Library(options),
    player: new ScriptPlayer<WireStep>(options.turns),
    rule,
  };
  const recording = new Recording();
  const connections = new WeakMap<object, number>();
  const waiting: { path: string; resolve: (request: RecordedRequest) => void }[] = [];
  const server = http.createServer((request, response) => {
    readBody(request).then(
      async (body) => {
        const connection = connections.get(request.socket) ?? 0;
        const recorded = recording.add(request, response, { body, connection });
        for (const waiter of waiting) if (waiter.path === recorded.path) waiter.resolve(recorded);
        await answer({ recorded, response }, parts);
      },
      () => response.destroy(),
    );
  });
  server.on('connection', (socket) => connections.set(socket, recording.connect()));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : options.port;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    url: `http://${options.host}:${port}`,
    recording,
    loads: () => parts.library.loads,
    arrival: (path) => new Promise((resolve) => waiting.push({ path, resolve })),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function answer(exchange: Exchange, parts: Parts): Promise<void> {
  const { recorded, response } = exchange;
  const host = String(recorded.headers.host ?? '');
  if (host !== parts.options.hostName && !isAllowedHost(host)) {
    response.writeHead(403).end();
    return;
  }
  const isMissing = parts.options.missingPaths.includes(recorded.path);
  const handler = isMissing ? undefined : ROUTES[`${recorded.method} ${recorded.path}`];
  if (handler !== undefined) {
    await handler(exchange, parts);
    return;
  }
  const isKnown = !isMissing && PATHS.has(recorded.path);
  response.writeHead(isKnown ? 405 : 404, { 'content-type': 'text/plain' });
  response.end(isKnown ? '405 method not allowed' : '404 page not found');
}

/** Ollama's guard against rebinding: an address, or a name that cannot lead elsewhere. */
function isAllowedHost(header: string): boolean {
  const host = header
    .replace(/:\d+$/, '')
    .replace(/^\[|\]$/g, '')
    .toLowerCase();
  if (host === '' || host === 'localhost' || host === os.hostname().toLowerCase()) return true;
  return isIP(host) !== 0 || /\.(localhost|local|internal)$/.test(host);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}
