import http from 'node:http';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { closeServer, listen } from '../addresses/listeners.ts';

/** What a test answers instead of the server; null for the server itself. */
export type Instead = (request: Request) => Response | null | Promise<Response | null>;

/** A server over streamable HTTP, of both revisions, by the official package: with one tool. */
export async function startRemoteServer(instead: Instead = () => null) {
  const requests: { readonly headers: http.IncomingHttpHeaders; readonly body: string }[] = [];
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'remote-notes', version: '2.0.0' });
    server.registerTool(
      'look_up',
      { description: 'Looks up a word.', inputSchema: z.object({ word: z.string() }) },
      async ({ word }) => ({ content: [{ type: 'text', text: `${word} means something` }] }),
    );
    return server;
  });
  const server = http.createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', async () => {
      const body = Buffer.concat(chunks).toString('utf8');
      requests.push({ headers: incoming.headers, body });
      const method = incoming.method ?? 'GET';
      const request = new Request(`http://${incoming.headers.host}${incoming.url}`, {
        method,
        headers: incoming.headers as Record<string, string>,
        ...(method === 'GET' || method === 'HEAD' || method === 'DELETE' ? {} : { body }),
      });
      const answer = (await instead(request.clone())) ?? (await handler.fetch(request));
      outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
      if (answer.body !== null) {
        for await (const chunk of answer.body) outgoing.write(chunk);
      }
      outgoing.end();
    });
  });
  const port = await listen(server, '127.0.0.1');
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    port,
    requests,
    [Symbol.asyncDispose]: async () => {
      await handler.close();
      await closeServer(server);
    },
  };
}
