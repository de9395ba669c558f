import { Readable } from 'node:stream';
import { ZodError } from 'zod';
import { RunEvent } from '#contract/events/run-event.ts';
import { Settings } from '#contract/settings.ts';
import { canonicalJson } from '#main/base/canonical-json.ts';
import { silentLogger } from '#main/base/logger.ts';
import { parseOutsideJson } from '#main/base/outside-json.ts';
import { matchesGlob } from '#main/base/path-glob.ts';
import { covers } from '#main/hitl/approval-rules.ts';
import { parseArgvPattern, plainArgv } from '#main/hitl/argv.ts';
import { checkFile } from '#main/orchestrator/evidence/file-opens.ts';
import { dedupeKey } from '#main/run/dedupe.ts';
import { importRun } from '#main/run/run-import.ts';
import { buildImage } from '#main/sandbox/docker-provider/sandbox-image.ts';
import { DataProfile } from '#main/skills/builtin/data-analysis/data-profile.ts';
import { describeProfile } from '#main/skills/builtin/data-analysis/describe-profile.ts';
import { analysedFile } from '#main/skills/builtin/data-analysis/report.ts';
import { openSettings } from '#main/storage/settings-store.ts';
import { parseStored } from '#main/storage/stored-json.ts';
import { type FuzzTarget, HOLE } from '../types.ts';
import { paced } from './streams.ts';

const RUN = {
  ...{ id: 'run_1', threadId: 'thr_1', prompt: 'Do it', status: 'completed' },
  ...{ createdAt: 1, startedAt: 1, endedAt: 2, lastSeq: 1, error: null, origin: null },
  options: {
    ...{ mode: 'task', model: { provider: 'ollama', name: 'qwen3:8b' }, sandbox: 'auto' },
    ...{ network: 'offline', allowHosts: [], approve: 'ask', timeoutSeconds: null },
  },
};
const EVENT = {
  runId: 'run_1',
  seq: 1,
  at: 1,
  type: 'tool_call',
  toolCallId: 'c',
  name: 'deep',
  risk: 'low',
  effect: 'read',
  agent: 'executor',
  round: 1,
};
const EXPORT = JSON.stringify({
  ...{ format: 'hyperagent.run', version: 1, exportedAt: 3, run: RUN, messages: [] },
  events: [{ ...EVENT, arguments: 'HOLE' }],
}).replace('"HOLE"', `{"a":${HOLE}}`);
const PROFILE = JSON.stringify({
  ...{ python: '3.13', packages: ['pandas'] },
  files: [
    {
      ...{ path: 'a.csv', format: 'csv', size: 12, encoding: 'utf-8+cp1252', certain: false },
      ...{ strange_lines: 1, first_strange: [2], zero_bytes: 1, zero_lines: [2], packed: 'gzip' },
      tables: [
        {
          ...{ name: '', rows: 1, width: 1, header: true, titles: [], notes: [] },
          ...{ ragged_rows: 0, ragged_lines: [], blank_rows: 0 },
          columns: [
            {
              ...{ name: 'a', type: 'number', missing: 0, distinct: 1, min: 1, max: 1 },
              ...{
                numbers_unsure: { count: 1, example: '1.234', min: 1, max: 2, sum: 3, mean: 1.5 },
                ...{ date_order: 'unknown', dates_unsure: 1, offsets: { '+02:00': 1 } },
                date_readings: [{ order: 'day first', count: 1, first: 'a', last: 'b' }],
                missing_as: { NA: 1 },
                kinds: { number: 1 },
                odd: [],
                top: [{ value: 1, count: 1 }],
                samples: [1, 'x'],
              },
            },
          ],
        },
      ],
    },
  ],
});
const JSON_TOKENS = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ',',
  '"type":"token"',
  '"events":[',
  '"seq":',
  '"arguments":{',
  'null',
  '1e999',
];

function outsideJson(text: string): unknown {
  try {
    return parseOutsideJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return null;
  }
}

/** Stores that write what they are given as the real ones do, into nothing. */
const nothing = (): void => undefined;
const STORES = {
  transaction: (work: () => void) => work(),
  threads: { insert: nothing, get: () => ({}) },
  runs: { insert: (run: unknown) => void JSON.stringify(run), get: () => ({}) },
  messages: { insert: (message: unknown) => void JSON.stringify(message) },
  events: {
    append: (events: readonly unknown[]) => void events.map((event) => JSON.stringify(event)),
  },
};

export const DATA_TARGETS: readonly FuzzTarget[] = [
  {
    name: 'run-import',
    faces: 'file',
    seeds: [EXPORT, `{"format":"hyperagent.run","version":${HOLE}}`],
    tokens: JSON_TOKENS,
    maxBytes: 4 * 1024 * 1024,
    run: ({ text }) => {
      const optionsHere = (options: unknown): never => options as never;
      importRun(text, {
        stores: STORES as never,
        taints: { add: nothing } as never,
        optionsHere,
        now: 5,
      });
    },
  },
  {
    name: 'stored-event',
    faces: 'file',
    seeds: [
      JSON.stringify({ ...EVENT, arguments: {} }).replace('{}', `{"a":${HOLE}}`),
      '{"runId":"r","seq":1,"at":1,"type":"token","text":"a"}',
    ],
    tokens: JSON_TOKENS,
    run: ({ text }) => {
      // Whatever is stored came in through a parser that has a limit of its own.
      const stored = JSON.stringify(outsideJson(text));
      const event = parseStored(RunEvent, stored, 'an event');
      dedupeKey(event);
      structuredClone(event);
      canonicalJson(event);
    },
  },
  {
    name: 'docker-build',
    faces: 'server',
    seeds: [
      '{"stream":"Step 1/9 : FROM a\\n"}\n{"status":"Pulling","progress":"x"}\n{"stream":"\\u001b[2Jdone"}\n',
      `{"error":"no network","errorDetail":${HOLE}}\n`,
      `{"stream":"${HOLE}"}\n`,
    ],
    tokens: ['\n', '\r\n', '{"stream":"', '"}\n', '\\n', '{"error":', '\\u001b['],
    run: async ({ chunks }) => {
      const client = {
        stream: async () => Readable.from(paced(chunks)),
        request: async () => null,
      };
      const image = { tag: 'x', dockerfile: 'FROM scratch' };
      await buildImage(client as never, image as never, {
        ...{ environment: {}, onProgress: () => undefined },
        signal: new AbortController().signal,
      });
    },
  },
  {
    name: 'stored-setting',
    faces: 'file',
    seeds: ['"ask"', '["a.example"]', '5', `{"a":${HOLE}}`, `[${HOLE}]`],
    tokens: JSON_TOKENS,
    run: ({ text, random }) => {
      const names = Object.keys(Settings.shape);
      const rows = [{ name: names[Math.floor(random() * names.length)], value: text }];
      const connection = { sql: () => ({ all: () => rows }) };
      openSettings(connection as never, silentLogger).get();
    },
  },
  {
    name: 'approval-rules',
    faces: 'model',
    seeds: ['src/**/a.ts', '["git","status"]', 'git commit -m x', `a/${HOLE}/b`, '*'.repeat(20)],
    tokens: ['*', '**', '/', '?', '../', '"', ' ', '-c', '[', '𝒳', 'a'],
    run: ({ text }) => {
      matchesGlob(text.slice(0, 200), text.slice(0, 1_000));
      parseArgvPattern(text);
      const subjects = { paths: [text], hosts: [text], argv: plainArgv(text) };
      for (const match of ['arguments', 'path', 'host', 'argv'] as const) {
        covers(
          {
            toolName: 't',
            match,
            pattern: match === 'argv' ? '["git"]' : '**/*.env',
            decision: 'deny',
          } as never,
          { toolName: 't', argumentsText: text, subjects },
        );
      }
    },
  },
  {
    name: 'opened-file',
    faces: 'sandbox',
    seeds: [`{"a":${HOLE}}`, '\u0089PNG', '<html>', 'a,b\n1,2\n'],
    tokens: JSON_TOKENS,
    // `READ_BYTES` of file-opens.ts.
    maxBytes: 2 * 1024 * 1024,
    run: async ({ bytes, random }) => {
      const name =
        ['a.json', 'a.html', 'a.csv', 'a.png', 'a.md', 'a.svg'][Math.floor(random() * 6)] ?? 'a';
      const read = async () => ({ data: bytes, size: bytes.length, truncated: false });
      await checkFile({ read, list: async () => [] } as never, name);
    },
  },
  {
    name: 'data-profile',
    faces: 'sandbox',
    seeds: [PROFILE, PROFILE.replace('"odd":[]', `"odd":[{"line":1,"value":${HOLE}}]`)],
    tokens: [...JSON_TOKENS, '"columns":[', '"samples":[', '{"name":"a","type":"text",'],
    // What a program in the sandbox wrote is described for models and for the report.
    run: ({ text }) => {
      const profile = DataProfile.parse(parseOutsideJson(text));
      describeProfile(profile);
      profile.files.map(analysedFile);
    },
    // The executor of skills makes `SKILL_FAILED` of both.
    isTyped: (error) => error instanceof SyntaxError || error instanceof ZodError,
  },
];
