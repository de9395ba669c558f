import { spawnSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { appRoot } from '#main/app-root.ts';
import { readTemplates } from '#main/skills/dynamic/templates.ts';
import type { JsonObject } from '#main/skills/types.ts';
import { type DynamicBenchOptions, openDynamicBench } from '../../../fakes/dynamic-skill-bench.ts';
import { temporaryDir } from '../../storage/support.ts';

const { templates } = readTemplates(appRoot());

/** What each is run with, and what comes of it. */
const RUNS: Readonly<
  Record<string, DynamicBenchOptions & { readonly params: JsonObject; readonly output: JsonObject }>
> = {
  'summarise-page': {
    params: { url: 'https://example.org/', points: 2 },
    tools: { fetch_page: () => ({ content: 'A long page about tea.' }) },
    replies: [{ content: '{"title":"Tea","points":["One.","Two.","Three."]}' }],
    output: { url: 'https://example.org/', title: 'Tea', points: ['One.', 'Two.'] },
  },
  'convert-table': {
    params: { file: 'data/prices.csv', to: 'json' },
    output: { file: 'data/prices.json', rows: 2 },
  },
  'compare-opinions': {
    params: { question: 'Is tea better than coffee?' },
    replies: [
      ...['Yes.', 'No.', 'It depends.'].map((content) => ({ content })),
      { content: '{"agree":false,"comparison":"They differ."}' },
    ],
    output: {
      answers: [
        { tier: 'flash', answer: 'Yes.' },
        { tier: 'pro', answer: 'No.' },
        { tier: 'max', answer: 'It depends.' },
      ],
      agree: false,
      comparison: 'They differ.',
    },
  },
  'extract-facts': {
    params: { urls: ['https://a.example/', 'https://b.example/'], fields: ['price'] },
    tools: {
      fetch_page: ({ url }) =>
        url === 'https://a.example/' ? { content: 'It costs 3.' } : { ok: false, content: 'Gone.' },
    },
    replies: [{ content: '{"price":"3"}' }],
    output: {
      rows: [{ url: 'https://a.example/', price: '3' }],
      failed: [{ url: 'https://b.example/', why: 'Gone.' }],
    },
  },
};

test.each(templates)(
  'the template $id passes the check, and runs',
  async ({ id, language, source }) => {
    const { params, output, ...options } = RUNS[id] ?? { params: {}, output: {} };
    const bench = openDynamicBench(options);
    expect((await bench.catalogue.check(language, source)).findings).toEqual([]);
    bench.files.set('data/prices.csv', '\uFEFFname,price\r\n"Tea, ""green""",3\r\nCoffee,4\r\n');
    const skillId = await bench.add(source, { language });
    expect(await bench.invoke(skillId, params)).toMatchObject({ ok: true, output });
    if (id === 'convert-table') {
      expect(JSON.parse(bench.files.get('data/prices.json') ?? '')).toEqual([
        { name: 'Tea, "green"', price: '3' },
        { name: 'Coffee', price: '4' },
      ]);
    }
    // What the skill says is never a system message.
    for (const request of bench.asked) {
      const [system] = JSON.parse(request) as { role: string; content: string }[];
      expect(system?.content).toContain('one part of the work of a skill');
    }
  },
);

test('templates fit the types that the editor is given', () => {
  const folder = temporaryDir();
  cpSync(join(appRoot(), 'resources', 'skill-templates'), folder, { recursive: true });
  const options = { noEmit: true, strict: true, target: 'esnext', module: 'preserve', types: [] };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, include: ['*.ts'] }),
  );
  const tsc = join(appRoot(), 'node_modules', 'typescript', 'bin', 'tsc');
  const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  expect({ stdout, status }).toEqual({ stdout: '', status: 0 });
});
