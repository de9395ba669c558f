import { createToolCallTextParser } from '../../src-main/models/tool-call-text/parser.ts';

/**
 * How fast the parser of tool calls written as text is, and what it adds to each delta of a stream:
 *
 *   node test/bench/tool-call-text.ts
 *
 * A delta is 4 units, about a token. A model on a laptop makes 10 to 100 of them a second.
 */
const SIZE = 1_000_000;
const DELTA = 4;
const tools = [
  {
    name: 'write_file',
    description: 'Writes a file.',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, content: { type: 'string' } },
      required: ['path', 'content'],
    },
  },
];

const sentence = 'The parser hands plain text on as soon as it cannot be part of a call. ';
const code = 'const list = items.map((item) => format(item, {"name": "x"})); // [x] < > { }\n';
const samples: readonly (readonly [name: string, text: string])[] = [
  ['prose', fill(sentence)],
  ['prose in short lines', fill('- a point of a list, with `code` in it\n')],
  ['code in a block', `Here it is:\n\n\`\`\`ts\n${fill(code)}\`\`\`\n`],
  ['thinking', `<think>${fill(sentence)}</think>Done.`],
  ['one call with a long argument, JSON', jsonCall(fill(code))],
  ['one call with a long argument, tags', tagCall(fill(code))],
  ['many short calls', fill(`${jsonCall('x')}\n`)],
  ['marks that open nothing', fill('<tool_call> ')],
];

process.stdout.write(`${'sample'.padEnd(40)} whole MB/s   deltas MB/s   us a delta\n`);
for (const [name, text] of samples) {
  const whole = best(() => parse(text, text.length));
  const deltas = best(() => parse(text, DELTA));
  const megabytes = text.length / 1e6;
  process.stdout.write(
    `${name.padEnd(40)} ${(megabytes / whole).toFixed(1).padStart(10)}   ` +
      `${(megabytes / deltas).toFixed(1).padStart(11)}   ` +
      `${((deltas * 1e6) / (text.length / DELTA)).toFixed(2).padStart(10)}\n`,
  );
}

function parse(text: string, size: number): void {
  const parser = createToolCallTextParser({ tools });
  for (let at = 0; at < text.length; at += size) parser.push(text.slice(at, at + size));
  parser.end();
}

/** Seconds of the fastest of five runs. */
function best(run: () => void): number {
  const seconds = [1, 2, 3, 4, 5].map(() => {
    const start = performance.now();
    run();
    return (performance.now() - start) / 1000;
  });
  return Math.min(...seconds);
}

function fill(part: string): string {
  return part.repeat(Math.ceil(SIZE / part.length));
}

function jsonCall(content: string): string {
  const call = { name: 'write_file', arguments: { path: 'a.ts', content } };
  return `<tool_call>\n${JSON.stringify(call)}\n</tool_call>`;
}

function tagCall(content: string): string {
  return (
    '<tool_call>\n<function=write_file>\n<parameter=path>\na.ts\n</parameter>\n' +
    `<parameter=content>\n${content}\n</parameter>\n</function>\n</tool_call>`
  );
}
