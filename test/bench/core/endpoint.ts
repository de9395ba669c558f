import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A chat request as it arrived. */
export interface Arrival {
  /** Monotonic, in ms, on the clock that all processes of the machine share. */
  readonly at: number;
  readonly body: string;
}

export interface Endpoint extends AsyncDisposable {
  readonly url: string;
  readonly arrivals: readonly Arrival[];
  /** From now on: `rounds` answers with one call of `name`, then a text. Forgets earlier arrivals. */
  script(rounds: number, call: { name: string; arguments: Record<string, unknown> }): void;
}

/** The time that `process.hrtime` shows, in ms. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6;

/** An Ollama that thinks for no time at all: `/api/chat` for the figures, `/api/show` for the app. */
export async function startEndpoint(): Promise<Endpoint> {
  let arrivals: Arrival[] = [];
  let rounds = 0;
  let call: unknown = null;
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const at = monotonicMs();
      if (request.url === '/api/chat') {
        const body = Buffer.concat(chunks).toString();
        arrivals.push({ at, body });
        response.writeHead(200, { 'content-type': 'application/x-ndjson' });
        response.end(answer(arrivals.length <= rounds ? call : null, arrivals.length));
      } else if (request.url === '/api/show') {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(MODEL));
      } else {
        response.writeHead(404).end('404 page not found');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get arrivals() {
      return arrivals;
    },
    script(count, scripted) {
      arrivals = [];
      rounds = count;
      call = scripted;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const MODEL = {
  details: { format: 'gguf', family: 'bench' },
  model_info: { 'general.architecture': 'bench', 'bench.context_length': 131072 },
  capabilities: ['completion', 'tools'],
};

function answer(call: unknown, count: number): string {
  const chunk = (fields: object): string =>
    `${JSON.stringify({ model: 'bench', created_at: new Date().toISOString(), ...fields })}\n`;
  const id = `call_${String(count).padStart(8, '0')}`;
  const message =
    call === null
      ? { role: 'assistant', content: 'That is the list.' }
      : { role: 'assistant', content: '', tool_calls: [{ id, function: { index: 0, ...call } }] };
  const end = {
    message: { role: 'assistant', content: '' },
    done: true,
    done_reason: 'stop',
    prompt_eval_count: 1000,
    eval_count: 10,
  };
  return chunk({ message, done: false }) + chunk(end);
}
