import { spawn } from 'node:child_process';
import http from 'node:http';

/**
 * The floor that the app is measured against: a bare Node loop that makes the same HTTP calls to the
 * same scripted server and spawns the same commands, with no log, no sandbox and no state.
 *
 *   node test/bench/floor.mjs URL
 *
 * Plain JavaScript, for stripping types would make the floor start later.
 *
 * Speaks Ollama's /api/chat. Runs the `command` of every `shell_command` call, gives any other call
 * an empty result, and ends when an answer has no call.
 */

const baseUrl = process.argv[2];
if (baseUrl === undefined) {
  process.stderr.write('usage: node test/bench/floor.mjs URL\n');
  process.exit(2);
}

const agent = new http.Agent({ keepAlive: true });
const tools = [
  {
    type: 'function',
    function: {
      name: 'shell_command',
      description: 'Runs a command.',
      parameters: {
        type: 'object',
        properties: { command: { type: 'string' } },
        required: ['command'],
      },
    },
  },
];

function chat(messages) {
  return new Promise((resolve, reject) => {
    const body = JSON.stringify({ model: 'bench', messages, tools, stream: true });
    const request = http.request(`${baseUrl}/api/chat`, { method: 'POST', agent }, (response) => {
      let buffer = '';
      let content = '';
      const calls = [];
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        buffer += chunk;
        const lines = buffer.split('\n');
        buffer = lines.pop() ?? '';
        for (const line of lines) {
          if (line === '') continue;
          const part = JSON.parse(line);
          content += part.message?.content ?? '';
          calls.push(...(part.message?.tool_calls ?? []));
        }
      });
      response.on('end', () => resolve({ content, calls }));
      response.on('error', reject);
    });
    request.on('error', reject);
    request.setHeader('content-type', 'application/json');
    request.end(body);
  });
}

function run(command) {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/bash', ['-c', command], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk.toString();
    });
    child.on('error', reject);
    child.on('close', () => resolve(output));
  });
}

const messages = [{ role: 'user', content: 'bench' }];
for (;;) {
  const reply = await chat(messages);
  messages.push({ role: 'assistant', content: reply.content, tool_calls: reply.calls });
  if (reply.calls.length === 0) break;
  for (const call of reply.calls) {
    const command = call.function.arguments.command;
    const content = typeof command === 'string' ? await run(command) : '';
    messages.push({ role: 'tool', tool_name: call.function.name, content });
  }
}
agent.destroy();
