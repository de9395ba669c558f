import { expect, it } from 'vitest';
import { TOOLS, type ToolTitle } from '#contract/tools.ts';
import { englishUnits } from '../../src-renderer/format.ts';
import { languageOf } from '../../src-renderer/language.ts';
import { chinese } from '../../src-renderer/strings/zh-Hans/index.ts';

const files = import.meta.glob<Readonly<Record<string, unknown>>>(
  '../../src-renderer/strings/*.ts',
  { eager: true },
);
const english: Readonly<Record<string, unknown>> = Object.assign(
  { unitStrings: englishUnits },
  ...Object.values(files),
);

/** Names, code and words that are the same in both languages. */
const SAME = new Set([
  ...['HyperAgent', 'diagram.png', 'npm run embedded', 'Markdown', 'HTML', 'PDF', 'JSON'],
  ...['Docker', 'bubblewrap', 'Seatbelt', 'Landlock', 'TypeScript', 'JavaScript'],
  ...['Max', 'Pro', 'Flash', '/home/me/notes', '/home/me/skills', '/home/me/project', ''],
]);

/** Functions whose words are figures only. */
const FIGURES = new Set(['composerStrings.pictureSize']);

type Leaf = readonly [path: string, value: unknown];

function leaves(value: unknown, path: string): Leaf[] {
  if (typeof value !== 'object' || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([name, inner]) =>
    leaves(inner, path === '' ? name : `${path}.${name}`),
  );
}

const pairs = (): (readonly [string, unknown, unknown])[] => {
  const translated = new Map(leaves(chinese, ''));
  return leaves(english, '').map(([path, value]) => [path, value, translated.get(path)] as const);
};

const shape = (all: unknown): string[] =>
  leaves(all, '')
    .map(([path, value]) =>
      typeof value === 'function' ? `${path}(${value.length})` : `${path}: ${typeof value}`,
    )
    .sort();

it('has every word of English in Chinese, with the same arguments, and no other', () => {
  expect(shape(chinese)).toEqual(shape(english));
});

it('leaves nothing in English but names and code', () => {
  const left = pairs().filter(
    ([, value, other]) => typeof value === 'string' && value === other && !SAME.has(value),
  );
  expect(left).toEqual([]);
});

it('writes Chinese with the punctuation of Chinese', () => {
  const texts = pairs().map(([path, , value]) => [path, String(value)] as const);
  // Beside a Chinese character, except in the code of a function.
  const half = /\p{Script=Han}[,;:?!]|[,;?!]\p{Script=Han}|\p{Script=Han}\.(?:['`\s]|$)/u;
  expect(texts.filter(([, text]) => half.test(text))).toEqual([]);
});

it('puts a space between Chinese and Latin letters or digits', () => {
  const tight = /\p{Script=Han}[A-Za-z0-9$]|[A-Za-z0-9%]\p{Script=Han}/u;
  const found = pairs().filter(([, , value]) => typeof value === 'string' && tight.test(value));
  expect(found).toEqual([]);
});

it('says every function in Chinese', () => {
  const left = pairs().filter(
    ([path, , value]) =>
      typeof value === 'function' && !FIGURES.has(path) && !/\p{Script=Han}/u.test(String(value)),
  );
  // Their words are in a function beside them, or they only join figures and names.
  expect(left.map(([path]) => path).sort()).toEqual(JOINED);
});

const JOINED = [
  'chatStrings.activity.elapsed',
  'composerStrings.context.used',
  'diagramStrings.named',
  'folderStrings.chip',
  'getModelStrings.of',
  'settingsStrings.clouds.tiers',
  'settingsStrings.installed.facts.tokens',
  'settingsStrings.pull.size',
  'toolStrings.title',
];

it('has every title of a tool', () => {
  const titles = (title: ToolTitle): string[] =>
    typeof title === 'string' ? [title] : Object.values(title);
  const all = Object.values(TOOLS).flatMap(({ title }) =>
    typeof title === 'object' && 'titles' in title
      ? Object.values(title.titles as Record<string, ToolTitle>).flatMap(titles)
      : titles(title),
  );
  expect(all.length).toBeGreaterThan(40);
  expect(all.filter((title) => chinese.toolStrings.title(title) === title)).toEqual([]);
});

it.each([
  [null, ['zh-CN', 'en'], 'zh-Hans'],
  ['system', ['zh'], 'zh-Hans'],
  ['system', ['zh-TW', 'en-GB'], 'en'],
  ['system', ['de', 'zh-SG', 'en'], 'zh-Hans'],
  ['system', ['en-US', 'zh-CN'], 'en'],
  ['system', [], 'en'],
  ['en', ['zh-CN'], 'en'],
  ['zh-Hans', ['en'], 'zh-Hans'],
  ['<script>', ['de'], 'en'],
])('shows %s with the languages %j of the system as %s', (choice, preferred, shown) => {
  expect(languageOf(choice, preferred)).toBe(shown);
});
