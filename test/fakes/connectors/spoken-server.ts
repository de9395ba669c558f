import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Connector } from '#contract/connectors.ts';
import type { ConnectorBench } from './connector-bench.ts';

/** Servers of the tests are small programs that speak the protocol by hand. */
const SPEAK = `
const lines = require('node:readline').createInterface({ input: process.stdin });
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const fs = require('node:fs');
let tools = [{ name: 'note', description: 'Keeps a note.', inputSchema: { type: 'object', properties: { text: { type: 'string' } } } }];
const answer = {
  initialize: ({ protocolVersion }) => ({ protocolVersion: '2025-11-25', capabilities: { tools: { listChanged: true } }, serverInfo: { name: 'notes', version: '1' } }),
  'tools/list': () => ({ tools }),
  'tools/call': (params) => ({ content: [{ type: 'text', text: JSON.stringify(params.arguments) + ' ' + (process.env.TOKEN_X ?? '') }] }),
};
lines.on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (answer[method] === undefined) return send({ id, error: { code: -32601, message: 'unknown' } });
  const result = answer[method](params ?? {});
  if (result !== undefined) send({ id, result });
});
lines.on('close', () => process.exit(0));
`;

/** A server whose program is `SPEAK`, changed by `more`. */
export async function addSpokenServer(
  bench: ConnectorBench,
  more = '',
  env: Record<string, string> = {},
): Promise<Connector> {
  const file = join(bench.dir, `server-${Math.random()}.cjs`);
  writeFileSync(file, `${SPEAK}\n${more}`);
  return await bench.program('notes', { args: [file], env });
}
