import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const CASES = [
  {
    format: 'hermes',
    test: 'one call',
    text: '<tool_call>{"name": "lookup", "arguments": {"word": "sloe"}}</tool_call>',
    strict: true,
    expect: { count: 1, calls: [{ name: 'lookup', arguments: '{"word": "sloe"}' }] },
  },
  {
    format: 'hermes',
    test: 'a half call',
    text: '<tool_call>{"name": "lookup", "arguments": {"wo',
    strict: true,
    partial: true,
    expect: { count: 1, calls: [{ name: 'lookup', arguments: { __raw__: '{"wo' } }] },
  },
  {
    format: 'qwen3-coder-xml',
    test: 'in thinking',
    text: 'Or <function=lookup></function>?</think>No.',
    strict: true,
    generation_prompt: '<|im_start|>assistant\n<think>',
    tools: [{ type: 'function', function: { name: 'lookup', parameters: {} } }],
    expect: { count: 0, calls: [] },
  },
  {
    format: 'qwen3-coder-xml',
    test: 'wants what is not there',
    text: 'Hello.',
    strict: false,
    expect: { count: 1, calls: [] },
  },
];

interface Report {
  readonly strict: unknown;
  readonly families: unknown;
  readonly misses: readonly { readonly test: string; readonly reason: string }[];
  readonly splits: { readonly differing: unknown };
  readonly quoted: { readonly invented: unknown };
  readonly decoys: { readonly invented: unknown };
}

describe('npm run corpus:tools', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'corpus-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('reports shares by family, and each miss', async () => {
    const file = path.join(folder, 'cases.jsonl');
    const lines = CASES.map((entry) =>
      JSON.stringify({ source: 'own', file: 'own.test', ...entry }),
    );
    await writeFile(file, `${lines.join('\n')}\n`);
    const report = await run(file);
    expect({
      strict: report.strict,
      families: report.families,
      misses: report.misses.map(({ test, reason }) => ({ test, reason })),
      splits: report.splits.differing,
      invented: [report.quoted.invented, report.decoys.invented],
    }).toEqual({
      strict: { cases: 3, met: 3, metAsRefused: 1, percent: 100 },
      families: [
        { family: 'hermes', cases: 2, met: 2, metAsRefused: 1, percent: 100 },
        { family: 'qwen3-coder-xml', cases: 2, met: 1, metAsRefused: 0, percent: 50 },
      ],
      misses: [
        {
          test: 'own.test::wants what is not there',
          reason: '1 calls expected, 0 made; the case does not say which tools its test offered',
        },
      ],
      splits: [],
      invented: [[], []],
    });
  });
});

function run(file: string): Promise<Report> {
  return new Promise((resolve, reject) => {
    const args = ['scripts/corpus-tools.ts', file, '--json'];
    execFile(process.execPath, args, { maxBuffer: 1e8 }, (error, stdout) => {
      if (error === null) resolve(JSON.parse(stdout) as Report);
      else reject(error);
    });
  });
}
