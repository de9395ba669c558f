import { readFileSync } from 'node:fs';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { opensThinking } from '../src-main/models/tool-call-text/markers.ts';
import { createToolCallTextParser } from '../src-main/models/tool-call-text/parser.ts';
import type { ParsedPiece } from '../src-main/models/tool-call-text/types.ts';
import type { ToolSchema } from '../src-main/models/types.ts';
import { DECOY_TOOLS, DECOYS } from '../test/fixtures/tool-call-decoys.ts';
import { chunkings, inQuotes } from './corpus-tools/variants.ts';
import { type Case, judge, type Outcome, type Verdict } from './corpus-tools/verdict.ts';

/**
 * Runs the parser of tool calls written as text over a corpus of answers, one JSON object per line:
 *
 *   npm run corpus:tools -- FILE.jsonl [--json]
 *
 * The family is detected from the text alone: a case's `format` is used for the report, never to
 * parse. Exits with 1 if a split changes a result, or if a call is invented although the tools are known.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false } },
});
const file = positionals[0];
if (file === undefined) {
  process.stderr.write('usage: npm run corpus:tools -- FILE.jsonl [--json]\n');
  process.exit(2);
}

const cases = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => JSON.parse(line) as Case);
const verdicts = cases.map((entry) => judge(entry, outcome(parse(entry, [entry.text]))));
const metTexts = new Set(verdicts.filter(({ met }) => met).map(({ entry }) => entry.text));
const report = {
  file,
  all: share(verdicts),
  strict: share(verdicts.filter(({ entry }) => entry.strict)),
  families: byFamily(verdicts),
  misses: verdicts.filter(({ met }) => !met).map(describeMiss),
  invented: inventions(verdicts),
  splits: checkSplits(cases),
  quoted: checkQuoted(cases),
  decoys: checkDecoys(),
};

process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : asText());
const clean =
  report.splits.differing.length === 0 &&
  report.invented.toolsKnown.length === 0 &&
  report.quoted.invented.length === 0 &&
  report.decoys.invented.length === 0;
process.exitCode = clean ? 0 : 1;

function parse(entry: Pick<Case, 'tools' | 'generation_prompt'>, chunks: readonly string[]) {
  let ids = 0;
  const parser = createToolCallTextParser({
    tools: entry.tools?.map(toSchema),
    startsInThinking: opensThinking(entry.generation_prompt ?? ''),
    newId: () => String(++ids),
  });
  const pieces = chunks.flatMap((chunk) => parser.push(chunk));
  return joined([...pieces, ...parser.end()]);
}

function toSchema(tool: NonNullable<Case['tools']>[number]): ToolSchema {
  const { name, description = '', parameters = {} } = tool.function ?? tool;
  return { name: name ?? '', description, parameters };
}

/** Joins neighbours of one kind: how a text was cut into deltas must not matter. */
function joined(pieces: readonly ParsedPiece[]): ParsedPiece[] {
  const whole: ParsedPiece[] = [];
  for (const piece of pieces) {
    const last = whole.at(-1);
    if (piece.kind === 'text' && last?.kind === 'text') {
      whole[whole.length - 1] = { kind: 'text', text: last.text + piece.text };
    } else if (piece.kind === 'reasoning' && last?.kind === 'reasoning') {
      whole[whole.length - 1] = { kind: 'reasoning', text: last.text + piece.text };
    } else whole.push(piece);
  }
  return whole;
}

function outcome(pieces: readonly ParsedPiece[]): Outcome {
  return {
    calls: pieces.flatMap((piece) => (piece.kind === 'call' ? [piece.call] : [])),
    refused: pieces.flatMap((piece) => (piece.kind === 'invalid' ? [piece.call] : [])),
  };
}

function share(some: readonly Verdict[]) {
  const met = some.filter((verdict) => verdict.met).length;
  const refused = some.filter((verdict) => verdict.met && verdict.asRefused).length;
  const percent = some.length === 0 ? 100 : Math.round((met / some.length) * 10_000) / 100;
  return { cases: some.length, met, metAsRefused: refused, percent };
}

function byFamily(all: readonly Verdict[]) {
  const families = [...new Set(all.map(({ entry }) => entry.format))].sort();
  return families.map((family) => ({
    family,
    ...share(all.filter(({ entry }) => entry.format === family)),
  }));
}

function describeMiss({ entry, reason, outcome: { calls, refused } }: Verdict) {
  return {
    test: `${entry.file}::${entry.test}`,
    family: entry.format,
    strict: entry.strict,
    reason: [reason, ...undecidable(entry)].join('; '),
    text: entry.text,
    expected: entry.expect,
    calls: calls.map(({ name, arguments: args }) => ({ name, arguments: args })),
    refused: refused.map(({ name, problem }) => ({ name, problem })),
  };
}

/** Why no parser could get this right, if the corpus itself shows it. */
function undecidable(entry: Case): string[] {
  const reasons: string[] = [];
  if (metTexts.has(entry.text))
    reasons.push('another case expects a different result for the same text');
  if (entry.tools === undefined) reasons.push('the case does not say which tools its test offered');
  return reasons;
}

/**
 * Calls where none is expected. Most cases do not record the tools of their test, so any name is
 * accepted: these are parsed again with the tools that the other cases of their file call.
 */
function inventions(all: readonly Verdict[]) {
  const none = all.filter(({ entry }) => entry.expect.count === 0);
  const made = none.filter(({ outcome: { calls } }) => calls.length > 0);
  const stillMade = made.filter(({ entry }) => {
    const tools = entry.tools ?? toolsOf(entry.file);
    return outcome(parse({ ...entry, tools }, [entry.text])).calls.length > 0;
  });
  const title = ({ entry }: Verdict) => `${entry.file}::${entry.test}`;
  return {
    cases: none.length,
    toolsKnown: made.filter(({ entry }) => entry.tools !== undefined).map(title),
    toolsNotRecorded: made.filter(({ entry }) => entry.tools === undefined).map(title),
    withToolsOfFile: stillMade.map(title),
  };
}

function toolsOf(source: string): NonNullable<Case['tools']> {
  const called = cases
    .filter((entry) => entry.file === source)
    .flatMap(({ expect }) => expect.calls);
  return [...new Set(called.map((call) => call.name ?? ''))].map((name) => ({ name }));
}

function checkSplits(all: readonly Case[]) {
  let runs = 0;
  const differing = all.filter((entry) => {
    const whole = parse(entry, [entry.text]);
    return chunkings(entry.text).some((chunks) => {
      runs += 1;
      return !isDeepStrictEqual(parse(entry, chunks), whole);
    });
  });
  return { runs, differing: differing.map(({ file: name, test }) => `${name}::${test}`) };
}

function checkQuoted(all: readonly Case[]) {
  let runs = 0;
  const invented: string[] = [];
  for (const entry of all) {
    for (const { how, text } of inQuotes(entry.text)) {
      runs += 1;
      const tools = entry.tools === undefined ? {} : { tools: entry.tools };
      if (outcome(parse(tools, [text])).calls.length > 0) {
        invented.push(`${how}: ${entry.file}::${entry.test}`);
      }
    }
  }
  return { runs, invented };
}

function checkDecoys() {
  const tools = DECOY_TOOLS.map((tool) => ({ function: tool }));
  const invented = DECOYS.filter((text) => outcome(parse({ tools }, [text])).calls.length > 0);
  return { runs: DECOYS.length, invented };
}

function asText(): string {
  const line = (
    name: string,
    { cases: total, met, metAsRefused, percent }: ReturnType<typeof share>,
  ) =>
    `${name.padEnd(20)} ${String(met).padStart(4)} / ${String(total).padEnd(4)} ${percent.toFixed(2).padStart(6)} %` +
    (metAsRefused > 0 ? `  (${metAsRefused} as refused calls)` : '');
  const { invented, splits, quoted, decoys } = report;
  return [
    ...report.families.map((row) => line(row.family, row)),
    '',
    line('all cases', report.all),
    line('strict cases', report.strict),
    '',
    `calls invented: ${invented.toolsKnown.length + invented.toolsNotRecorded.length} of ${invented.cases} cases that expect none` +
      ` (${invented.toolsNotRecorded.length} of them lack the tools of their test;` +
      ` with the tools of their file: ${invented.withToolsOfFile.length})`,
    `results that a split changes: ${splits.differing.length} of ${cases.length} cases, ${splits.runs} runs`,
    `calls taken from quotations: ${quoted.invented.length} of ${quoted.runs}`,
    `calls taken from prose decoys: ${decoys.invented.length} of ${decoys.runs}`,
    '',
    ...report.misses.flatMap((miss) => [
      `MISS ${miss.family}${miss.strict ? '' : ' (not strict)'}: ${miss.test}`,
      `     ${miss.reason}`,
      `     text     ${JSON.stringify(miss.text).slice(0, 300)}`,
      `     expected ${JSON.stringify(miss.expected.calls).slice(0, 300)}`,
      `     made     ${JSON.stringify(miss.calls).slice(0, 300)}${miss.refused.length > 0 ? `, refused ${JSON.stringify(miss.refused).slice(0, 200)}` : ''}`,
    ]),
    ...splits.differing.map((name) => `SPLIT ${name}`),
    ...[...quoted.invented, ...decoys.invented.map((text) => JSON.stringify(text))].map(
      (name) => `INVENTED ${name}`,
    ),
    '',
  ].join('\n');
}
