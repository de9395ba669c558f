import http from 'node:http';
import { closeServer, listen } from './addresses/listeners.ts';
import { startModelServer } from './model-server/server.ts';

interface WireMessage {
  readonly role: string;
  readonly content?: string;
  readonly tool_name?: string;
  /** Base64. */
  readonly images?: readonly string[];
}

/** A chat request as the director sees it. */
export interface DirectedRequest {
  readonly model: string;
  readonly messages: readonly WireMessage[];
  /** The schema that the answer is held to; null for none. */
  readonly format: Readonly<Record<string, unknown>> | null;
  /** The names of the tools that it may call. */
  readonly tools: readonly string[];
  readonly system: string;
  /** The last turn of the person, or of the app in their place. */
  readonly turn: string;
  /** How many results of tools came after that turn. */
  readonly results: readonly string[];
}

export interface DirectedReply {
  readonly content?: string;
  readonly calls?: readonly {
    readonly name: string;
    readonly arguments: Readonly<Record<string, unknown>>;
    /** As the server names it; none unless given. */
    readonly id?: string;
  }[];
}

/** A model that the server lists. */
export interface DirectedModelFacts {
  readonly name: string;
  readonly capabilities: readonly string[];
}

export interface DirectedModel extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly DirectedRequest[];
}

/**
 * A model behind Ollama's protocol whose answers follow from what it is asked: for runs in which several
 * agents ask, and their order is not fixed. Where `direct` throws, the server answers 500 with its message.
 */
export async function startDirectedModel(
  direct: (request: DirectedRequest) => DirectedReply | Promise<DirectedReply>,
  models: readonly DirectedModelFacts[] = [{ name: 'x', capabilities: ['completion', 'tools'] }],
): Promise<DirectedModel> {
  const rest = await startModelServer({
    models: models.map(({ name, capabilities }) => ({ name, capabilities: [...capabilities] })),
    turns: [],
  });
  const requests: DirectedRequest[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const body = Buffer.concat(chunks);
      if (request.url !== '/api/chat') {
        const onward = http.request(
          `${rest.url}${request.url}`,
          { method: request.method, headers: request.headers },
          (answer) => {
            response.writeHead(answer.statusCode ?? 502, answer.headers);
            answer.pipe(response);
          },
        );
        onward.end(body);
        return;
      }
      const asked = read(body);
      requests.push(asked);
      let reply: DirectedReply;
      try {
        reply = await direct(asked);
      } catch (error) {
        response.writeHead(500, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: error instanceof Error ? error.message : 'broken' }));
        return;
      }
      const { content = '', calls = [] } = reply;
      const created_at = new Date().toISOString();
      const base = { model: asked.model, created_at };
      const message = {
        role: 'assistant',
        content,
        ...(calls.length === 0
          ? {}
          : { tool_calls: calls.map(({ id, ...one }) => ({ id, function: one })) }),
      };
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      response.write(`${JSON.stringify({ ...base, message, done: false })}\n`);
      const end = { role: 'assistant', content: '' };
      const counts = { prompt_eval_count: 10, eval_count: 5 };
      response.end(
        `${JSON.stringify({ ...base, message: end, done: true, done_reason: 'stop', ...counts })}\n`,
      );
    });
  });
  const port = await listen(server, '127.0.0.1');
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      await closeServer(server);
      await rest[Symbol.asyncDispose]();
    },
  };
}

function read(body: Buffer): DirectedRequest {
  const { model, messages, format, tools } = JSON.parse(body.toString()) as {
    model: string;
    messages: WireMessage[];
    format?: Readonly<Record<string, unknown>>;
    tools?: readonly { readonly function: { readonly name: string } }[];
  };
  const at = messages.findLastIndex(({ role }) => role === 'user');
  return {
    ...{ model, messages, format: format ?? null },
    tools: (tools ?? []).map((tool) => tool.function.name),
    system: messages[0]?.role === 'system' ? (messages[0].content ?? '') : '',
    turn: messages[at]?.content ?? '',
    results: messages
      .slice(at + 1)
      .flatMap(({ role, content = '' }) => (role === 'tool' ? [content] : [])),
  };
}
