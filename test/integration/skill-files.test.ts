import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openAppBench } from '../fakes/app-bench.ts';
import { approveSkill, putFiles } from '../fakes/markdown-skill.ts';
import { load, read, steppingModel } from '../fakes/stepping-model.ts';

/** Names that a model says for files that are none of the skill: nothing gets out, whatever they look like. */

const CANARY = 'CANARY-7f3a';
const NAME = 'notes';

const FILES = {
  'SKILL.md': `---\nname: ${NAME}\ndescription: Notes.\n---\nRead them.\n`,
  'notes.md': 'The notes.\n',
  'sub/Café.md': 'In the plain form.\n',
};

const up = '../secret.txt';
const VARIANTS = (secret: string): string[] => [
  ...[
    up,
    `./${up}`,
    `sub/../${up}`,
    `sub/../../secret.txt`,
    `notes.md/../${up}`,
    `${up}/`,
    `${up}\0.md`,
  ],
  ...[
    `....//secret.txt`,
    `..//secret.txt`,
    `.././secret.txt`,
    `..\\secret.txt`,
    `sub\\..\\..\\secret.txt`,
  ],
  ...[
    `%2e%2e/secret.txt`,
    `%2e%2e%2fsecret.txt`,
    `..%2fsecret.txt`,
    `..%5csecret.txt`,
    `%252e%252e%252fsecret.txt`,
  ],
  ...[
    `..%c0%afsecret.txt`,
    `．．/secret.txt`,
    `..／secret.txt`,
    `‥/secret.txt`,
    `..∕secret.txt`,
    `․․/secret.txt`,
  ],
  ...[
    secret,
    `file://${secret}`,
    `/${secret}`,
    `//localhost${secret}`,
    `/proc/self/cwd/${up}`,
    `/proc/self/root${secret}`,
  ],
  ...[
    '/etc/passwd',
    '~/secret.txt',
    '$HOME/secret.txt',
    'C:\\secret.txt',
    '\\\\?\\C:\\secret.txt',
    'CON',
  ],
  ...[
    'NOTES.MD',
    'Notes.md',
    'notes.md ',
    ' notes.md',
    'notes.md.',
    'notes.md/',
    'notes.md/.',
    'notes.md::$DATA',
  ],
  ...[
    'sub/Cafe\u0301.md',
    'sub/../notes.md',
    '/notes.md',
    'notes.md#x',
    'notes.md?x',
    'n\u200botes.md',
    'nоtes.md',
  ],
  ...[
    '.',
    '..',
    '/',
    './',
    'sub',
    'sub/',
    '*',
    'sub/*',
    'notes.m?',
    '{notes.md,../secret.txt}',
    '`cat ../secret.txt`',
  ],
  ...[
    '$(cat ../secret.txt)',
    '|cat ../secret.txt',
    '__proto__',
    'constructor',
    'length',
    '0',
    'link.md',
    'out/secret.txt',
  ],
];

/** Five calls an answer. */
const inRounds = (names: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(names.length / 5) }, (_, i) => names.slice(i * 5, i * 5 + 5));

it('gives nothing that is not in the list of the files that were hashed', async () => {
  let variants: string[] = [];
  const bench = await openAppBench((request) =>
    steppingModel([
      {
        when: 'Read',
        rounds: [
          [load(NAME)],
          [read('notes.md'), read('./notes.md'), read('sub/Café.md')],
          ...inRounds(variants).map((names) => names.map((name) => read(name, NAME))),
        ],
        answer: 'Done.',
      },
    ])(request),
  );
  const root = path.join(bench.dataDir, 'skills');
  putFiles(path.join(root, NAME), FILES);
  const secret = path.join(root, 'secret.txt');
  writeFileSync(secret, CANARY);
  variants = VARIANTS(secret);
  await approveSkill(bench.app, NAME);
  // Each is another failure in a row: that is what is tried here.
  bench.app.api['settings.update']({
    changes: {
      maxRounds: 100,
      errorsBeforeReplan: 50,
      repeatsBeforeHint: 5,
    },
  });
  const played = await bench.play('Read');
  const results = played
    .of('tool_result')
    .map(({ content, status, errorCode }) => [content, errorCode ?? status]);
  expect(results.slice(1, 4)).toEqual([
    ['The notes.\n', 'ok'],
    ['The notes.\n', 'ok'],
    ['In the plain form.\n', 'ok'],
  ]);
  const codes = results.slice(4).map(([, code]) => code);
  expect(codes).toEqual(variants.map(() => 'SKILL_FILE_REFUSED'));
  expect(variants.length).toBeGreaterThan(60);
  expect(JSON.stringify(played.events)).not.toContain(CANARY);
  expect(JSON.stringify(bench.requests)).not.toContain(CANARY);
});

it('gives nothing over a link that was put there after the yes', async () => {
  const bench = await openAppBench(
    steppingModel([
      { when: 'Read', rounds: [[load(NAME)], [read('link.md', NAME)]], answer: 'Done.' },
    ]),
  );
  const root = path.join(bench.dataDir, 'skills');
  const folder = putFiles(path.join(root, NAME), FILES);
  writeFileSync(path.join(root, 'secret.txt'), CANARY);
  await approveSkill(bench.app, NAME);
  symlinkSync('../secret.txt', path.join(folder, 'link.md'));
  const played = await bench.play('Read');
  expect(played.of('tool_result').map(({ errorCode }) => errorCode)).toEqual([
    ...['SKILL_NEEDS_REVIEW', 'SKILL_NEEDS_REVIEW'],
  ]);
  expect(JSON.stringify(bench.requests)).not.toContain(CANARY);
});
