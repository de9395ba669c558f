import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { SKILL_SOURCE_CHARS } from '#contract/skills.ts';
import { dataPaths } from '#main/storage/data-paths.ts';
import { type DynamicBench, openDynamicBench } from '../../../fakes/dynamic-skill-bench.ts';
import { skillSource } from '../../../fakes/dynamic-skill-source.ts';

const GREETING = skillSource('return { said: `Hello ${params.name as string}` };', {
  id: 'greeting',
  metadata: { parameters: [{ name: 'name', type: 'string', description: 'Whom.' }] },
});

/** Changes rows behind the app's back, over a connection of its own. */
function tamper({ dataDir }: DynamicBench, sql: string, ...values: readonly unknown[]): void {
  const database = new Database(dataPaths(dataDir).database);
  try {
    expect(database.prepare(sql).run(...values).changes).toBe(1);
  } finally {
    database.close();
  }
}

test('a source is saved, reviewed, approved and run; before the yes it is not', async () => {
  const bench = openDynamicBench();
  const id = await bench.catalogue.save('typescript', GREETING);
  expect(bench.registry.summary(id)).toMatchObject({ id: 'greeting', state: 'needs_review' });
  expect(await bench.invoke(id, { name: 'Ada' })).toMatchObject({
    ok: false,
    error: { code: 'SKILL_NEEDS_REVIEW' },
  });

  const review = await bench.catalogue.review(id);
  expect(review).toMatchObject({
    files: [{ path: 'skill.ts', before: null, after: GREETING, isBinary: false }],
    capabilities: { before: [], after: [] },
    mayApprove: true,
  });
  await bench.catalogue.approve(id, { sha256: review.sha256, capabilities: [] });
  bench.registry.changed();
  expect(await bench.invoke(id, { name: 'Ada' })).toMatchObject({
    ok: true,
    output: { said: 'Hello Ada' },
  });
});

test('any change asks again, with what differs; the version that was approved runs on no longer', async () => {
  const bench = openDynamicBench();
  const first = skillSource("return { at: 'first' };", { capabilities: ['search', 'emit'] });
  const id = await bench.add(first, { granted: ['search'] });
  const second = skillSource("return { at: 'second' };", { capabilities: ['search', 'sandbox'] });
  await bench.catalogue.save('javascript', second);
  expect(await bench.invoke(id)).toMatchObject({ error: { code: 'SKILL_NEEDS_REVIEW' } });
  const review = await bench.catalogue.review(id);
  expect(review.files).toEqual([
    { path: 'skill.ts', before: first, after: null, isBinary: false },
    { path: 'skill.js', before: null, after: second, isBinary: false },
  ]);
  expect(review.capabilities).toEqual({ before: ['search'], after: ['search', 'sandbox'] });

  // The same text again is no change; the same text in another language is one.
  await bench.catalogue.save('javascript', second);
  expect(bench.catalogue.versions(id).map(({ version }) => version)).toEqual([2, 1]);
  await bench.catalogue.save('typescript', second);
  const other = await bench.catalogue.review(id);
  expect(other.sha256).not.toBe(review.sha256);
  expect(other.files).toEqual([
    { path: 'skill.ts', before: first, after: second, isBinary: false },
  ]);
});

test('an approval covers what was shown, and no capability that was not requested', async () => {
  const bench = openDynamicBench();
  const id = await bench.catalogue.save(
    'typescript',
    skillSource('return {};', { capabilities: ['llm'] }),
  );
  const { sha256 } = await bench.catalogue.review(id);
  await expect(
    bench.catalogue.approve(id, { sha256, capabilities: ['fetch'] }),
  ).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
  await bench.catalogue.save(
    'typescript',
    skillSource('return { a: 1 };', { capabilities: ['llm'] }),
  );
  await expect(
    bench.catalogue.approve(id, { sha256, capabilities: ['llm'] }),
  ).rejects.toMatchObject({
    code: 'CONFLICT',
  });
  expect(await bench.invoke(id)).toMatchObject({ error: { code: 'SKILL_NEEDS_REVIEW' } });
});

const CHANGED = skillSource("return { at: 'changed' };");
test.each([
  ['the source of the version', 'UPDATE skill_versions SET source_code = ?', [CHANGED]],
  ['the copy in the definition', 'UPDATE skill_definitions SET source_code = ?', [CHANGED]],
  ['the hash of the version', 'UPDATE skill_versions SET source_code_hash = ?', ['0'.repeat(64)]],
  [
    'the hash of the definition',
    'UPDATE skill_definitions SET source_code_hash = ?',
    ['0'.repeat(64)],
  ],
  ['the language', "UPDATE skill_versions SET language = 'javascript'", []],
  [
    'capabilities that are listed',
    `UPDATE skill_definitions SET metadata_json = replace(metadata_json, '"capabilities":[]', '"capabilities":["sandbox"]')`,
    [],
  ],
])('changed behind its back: %s', async (_what, sql, values) => {
  const bench = openDynamicBench();
  const source = skillSource("return { at: 'first' };");
  const id = await bench.add(source);
  expect(await bench.invoke(id)).toMatchObject({ output: { at: 'first' } });
  tamper(bench, sql, ...values);
  bench.registry.changed();
  expect(await bench.invoke(id)).toMatchObject({ ok: false, error: { code: 'SKILL_TAMPERED' } });

  // Saved and approved again, it is whole.
  await bench.add(source);
  expect(await bench.invoke(id)).toMatchObject({ ok: true, output: { at: 'first' } });
});

test('a source that was changed, with every hash to fit, is a new one that nobody approved', async () => {
  const bench = openDynamicBench();
  const id = await bench.add(skillSource("return { at: 'first' };", { capabilities: [] }));
  // Rights that are written into the row beyond what the source asks for grant nothing.
  tamper(bench, `UPDATE skill_versions SET granted = '["sandbox","made_up"]'`);
  bench.registry.changed();
  expect(await bench.invoke(id)).toMatchObject({ ok: true });
  await bench.add(skillSource("await app.sandbox.readFile('x'); return {};"));
  tamper(bench, `UPDATE skill_versions SET granted = '["sandbox"]' WHERE version = 2`);
  expect(await bench.invoke(id)).toMatchObject({ error: { code: 'SKILL_CAPABILITY_DENIED' } });
  expect(bench.calls).toEqual([]);
});

test('a tampered source cannot be approved, and a review says so', async () => {
  const bench = openDynamicBench();
  const id = await bench.catalogue.save('typescript', GREETING);
  tamper(bench, 'UPDATE skill_versions SET source_code = ?', CHANGED);
  const review = await bench.catalogue.review(id);
  expect(review.mayApprove).toBe(false);
  expect(review.findings).toMatchObject([{ severity: 'error', rule: 'tampered' }]);
  await expect(
    bench.catalogue.approve(id, { sha256: review.sha256, capabilities: [] }),
  ).rejects.toMatchObject({ code: 'SKILL_CODE_INVALID' });
});

test('an id of another kind of skill is refused', async () => {
  const bench = openDynamicBench();
  const source = skillSource('return {};', { id: 'taken_skill' });
  await expect(bench.catalogue.save('typescript', source)).rejects.toMatchObject({
    code: 'CONFLICT',
  });
  expect((await bench.catalogue.check('typescript', source)).findings).toMatchObject([
    { severity: 'error', rule: 'id_taken' },
  ]);
  expect(bench.catalogue.list()).toEqual([]);
});

test('a file travels without approvals and counters, and is taken in whole or not at all', async () => {
  const from = openDynamicBench();
  const id = await from.add(GREETING);
  await from.invoke(id, { name: 'Ada' });
  const { fileName, text } = from.catalogue.exportFile(id);
  expect(fileName).toBe('greeting.skill.json');
  expect(Object.keys(JSON.parse(text))).toEqual([
    'format',
    'version',
    'language',
    'source',
    'sha256',
  ]);

  const to = openDynamicBench();
  expect(await to.catalogue.importFile(text)).toBe(id);
  expect(to.registry.summary(id)).toMatchObject({ state: 'needs_review', invocationCount: 0 });
  expect(to.catalogue.versions(id)).toMatchObject([
    { version: 1, approvedAt: null, source: GREETING },
  ]);

  const file = JSON.parse(text) as Record<string, unknown>;
  const bad = [
    ['', /not a skill file/],
    ['[]', /not a skill file/],
    [JSON.stringify({ ...file, format: 'other' }), /format/],
    [JSON.stringify({ ...file, version: 2 }), /version/],
    [JSON.stringify({ ...file, approved: true }), /approved/],
    [JSON.stringify({ ...file, source: `${GREETING} ` }), /sha256/],
    [JSON.stringify({ ...file, language: 'javascript' }), /sha256/],
    [JSON.stringify({ ...file, sha256: '0'.repeat(64) }), /sha256/],
    [JSON.stringify({ ...file, source: 'x'.repeat(SKILL_SOURCE_CHARS + 1) }), /source/],
  ] as const;
  for (const [given, says] of bad) {
    await expect(to.catalogue.importFile(given)).rejects.toMatchObject({
      code: 'SKILL_CODE_INVALID',
      message: expect.stringMatching(says),
    });
  }
  expect(to.catalogue.versions(id)).toHaveLength(1);
});

test('a skill that is removed is gone with its versions', async () => {
  const bench = openDynamicBench();
  const id = await bench.add(GREETING);
  bench.catalogue.remove(id);
  bench.registry.changed();
  expect(bench.catalogue.list()).toEqual([]);
  expect(bench.store.versions(id)).toEqual([]);
  await expect(bench.catalogue.load(id)).rejects.toMatchObject({ code: 'SKILL_UNKNOWN' });
});

test('a thousand skills are listed without evaluating one', async () => {
  const bench = openDynamicBench();
  for (let at = 0; at < 1_000; at += 1) {
    const id = `skill_${at}`;
    const metadata = {
      id,
      name: id,
      description: 'One of many.',
      category: 'code',
      capabilities: [],
    };
    bench.store.saveVersion(
      {
        ...{ id, name: id, version: '1.0.0', description: 'One of many.', category: 'code' },
        ...{ author: 'me', metadataJson: JSON.stringify(metadata) },
      },
      // What cannot even be read would be seen.
      { language: 'typescript', code: '((((', sha256: '0'.repeat(64) },
    );
  }
  const start = performance.now();
  const skills = bench.registry.list();
  process.stdout.write(
    `1,000 dynamic skills listed in ${(performance.now() - start).toFixed(1)} ms\n`,
  );
  expect(skills).toHaveLength(1_000);
  expect(skills.every(({ state }) => state === 'needs_review')).toBe(true);
  expect(bench.threads.size).toBe(0);
});

test.each(['output', 'work', 'constructor'])('an id may be any name: %s', async (id) => {
  const bench = openDynamicBench();
  await bench.add(skillSource('return { a: 1 };', { id }));
  expect(await bench.invoke(id)).toMatchObject({ ok: true, output: { a: 1 } });
});

test.each([
  ['metadata that is no JSON', "UPDATE skill_definitions SET metadata_json = '{'"],
  ['rights that are no JSON', "UPDATE skill_versions SET granted = '['"],
  ['a language that there is not', "UPDATE skill_versions SET language = 'python'"],
  ['rights that are a text', `UPDATE skill_versions SET granted = '"llm fetch"'`],
])(
  'rows that the app did not write grant nothing, and are fixed by saving again: %s',
  async (_what, sql) => {
    const bench = openDynamicBench();
    const source = skillSource("await app.fetch('x'); return {};", {
      capabilities: ['fetch', 'llm'],
    });
    const id = await bench.add(source);
    tamper(bench, sql);
    bench.registry.changed();
    expect(await bench.invoke(id)).toMatchObject({
      error: { code: expect.stringMatching(/^SKILL_(TAMPERED|CAPABILITY_DENIED)$/) },
    });
    expect(bench.calls).toEqual([]);
    expect(bench.catalogue.versions(id)).toHaveLength(1);
    await bench.add(source);
    expect(await bench.invoke(id)).toMatchObject({ ok: true });
  },
);

test('a source with half a character in it is refused: stored, it would come back as another', async () => {
  const bench = openDynamicBench();
  const source = skillSource("\nreturn { a: '\ud800' };");
  expect((await bench.catalogue.check('typescript', source)).findings).toMatchObject([
    { severity: 'error', rule: 'not_text', line: 7 },
  ]);
  await expect(bench.catalogue.save('typescript', source)).rejects.toMatchObject({
    code: 'SKILL_CODE_INVALID',
  });
});
