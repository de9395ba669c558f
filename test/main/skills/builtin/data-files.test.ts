import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { analyst, report, runs } from '../../../fakes/analyst-model.ts';
import { dataCases } from '../../../fakes/data-cases/all-cases.ts';
import { openSkillBench } from '../../../fakes/skill-bench.ts';
import { osSandboxNote, osSandboxReady } from '../../../setup/os-sandbox.ts';

interface Profile {
  readonly files: readonly {
    readonly tables: readonly {
      readonly name: string;
      readonly rows: number;
      readonly columns: readonly { readonly name: string }[];
    }[];
  }[];
}

describe.skipIf(!osSandboxReady)(`data_analysis on real-shaped files${osSandboxNote}`, () => {
  test.each(dataCases())('$name', async (one) => {
    const { path, request, program, statements } = one;
    const bench = await openSkillBench(
      analyst({
        loop: [runs(program), { content: 'The figures are there.' }],
        reports: [report(...statements)],
      }),
    );
    const played = await bench.invoke(
      'data_analysis',
      { request, files: [path] },
      { files: { [path]: one.bytes() } },
    );
    // What the test took from the data itself is what the program printed.
    expect(played.output).toMatchObject({
      unverified_numbers: [],
      findings: statements.map((statement) => ({ statement, verified: true })),
      steps: [{ language: 'python', ok: true }],
    });
    expect(played.stages).toEqual(['plan', 'code_loop', 'summarize']);
    const bytes = await bench.bytes(played.run.threadId, '.hyperagent/data-profile.json');
    const { files } = JSON.parse(Buffer.from(bytes).toString()) as Profile;
    expect(files[0]).toMatchObject(one.file);
    const found = Object.fromEntries(
      (files[0]?.tables ?? []).map(({ name, columns }) => [
        name,
        Object.fromEntries(columns.map((column) => [column.name, column])),
      ]),
    );
    expect(found).toMatchObject(closely(one.tables));
    const text = await bench.file(played.run.threadId, String(played.output.report_path));
    expect(text).toBe(played.output.report);
    for (const statement of statements) expect(text).toContain(`- ${statement}\n`);
  });

  test('what nothing there can read is said, and the rest is analysed', async () => {
    const program =
      'import sys; sys.path.insert(0, ".hyperagent")\nfrom data_files import rows\nprint(sum(row["a"] for row in rows("a.csv")))\n';
    const bench = await openSkillBench(
      analyst({ loop: [runs(program), { content: 'It is 3.' }], reports: [report('It is 3.')] }),
    );
    const { output, run } = await bench.invoke(
      'data_analysis',
      { request: 'What is the sum of a?' },
      {
        files: {
          'a.csv': 'a,b\n1,x\n2,y\n',
          'lz4.parquet': readFileSync('test/fixtures/data/lz4.parquet'),
          'notes.md': '# No data',
        },
      },
    );
    const bytes = await bench.bytes(run.threadId, '.hyperagent/data-profile.json');
    const profile = JSON.parse(Buffer.from(bytes).toString());
    const canRead = profile.packages.includes('pyarrow') || profile.packages.includes('duckdb');
    expect(profile.files.map(({ path }: { path: string }) => path)).toEqual([
      'a.csv',
      'lz4.parquet',
    ]);
    expect(profile.files[1].error?.code).toBe(canRead ? undefined : 'no_reader');
    expect(output.notes).toEqual(
      canRead ? [] : [expect.stringMatching(/^lz4\.parquet: .*lz4 needs pyarrow or duckdb/)],
    );
    expect(output.unverified_numbers).toEqual([]);
  });

  test('files that are made to break readers break nothing', async () => {
    const digits = '9'.repeat(5_000);
    const bench = await openSkillBench(
      analyst({
        loop: [runs('print(7)'), { content: 'Done.' }],
        reports: [report('There are 7.')],
      }),
    );
    const { output, run } = await bench.invoke(
      'data_analysis',
      { request: 'What is there?' },
      {
        files: {
          'endless.json': '[{"a": Infinity, "b": NaN, "c": 1e999}, {"a": -Infinity}]',
          'half.json': '[{"a": "\\ud800", "\\udfff": 1}]',
          'huge.csv': `n,m\n${digits},1e308\n${digits},1e308\n`,
          'cut.json': '[{"a": 1}, {"a":',
          'deep.json': `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
          'cut.sqlite': Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(200, 7)]),
          'cut.parquet': readFileSync('test/fixtures/data/orders.parquet').subarray(0, 3_000),
          'quote.csv': 'a,b\n"never closed,1\n2,3\n',
          'sure.csv': 'a\n1\n2\n',
        },
      },
    );
    const bytes = await bench.bytes(run.threadId, '.hyperagent/data-profile.json');
    const { files } = JSON.parse(Buffer.from(bytes).toString());
    const codes = files.map((file: { path: string; error?: { code: string } }) => [
      file.path,
      file.error?.code ?? 'read',
    ]);
    expect(Object.fromEntries(codes)).toEqual({
      ...{ 'endless.json': 'read', 'half.json': 'read', 'huge.csv': 'read', 'sure.csv': 'read' },
      ...{ 'cut.json': 'broken', 'cut.parquet': 'broken', 'cut.sqlite': 'broken' },
      ...{ 'deep.json': 'unreadable', 'quote.csv': 'read' },
    });
    expect(files.at(-1).tables[0].columns[0]).toMatchObject({ sum: 3, type: 'integer' });
    expect(output.unverified_numbers).toEqual([]);
  });
});

/** Sums of decimals differ in their last bit by the order in which they were added. */
function closely(value: unknown): object {
  return JSON.parse(JSON.stringify(value), (key, inner) =>
    typeof inner === 'number' && ['sum', 'mean', 'min', 'max'].includes(key)
      ? expect.closeTo(inner, 6)
      : inner,
  );
}
