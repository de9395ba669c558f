import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RETIRED_WORDS, retiredWordsIn } from './retired-words.ts';

const ROOT = join(import.meta.dirname, '../..');
const CHECKED = ['src-main', 'src-renderer', 'src-preload', 'resources', 'docs', 'scripts'];
const PAGES = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md'];
const UNCHANGED = [
  // What was applied to databases is never changed, and neither are its comments.
  'src-main/storage/migrations/',
  // Users ask in their own words.
  'scripts/eval/app-briefs/briefs/',
];

describe('the words of the field', () => {
  it('stand in all sources and pages, and retired ones in none', () => {
    const listed = CHECKED.flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        posix.join(folder, file.replaceAll('\\', '/')),
      ),
    );
    const files = [...listed, ...PAGES].filter(
      (file) =>
        /\.(?:tsx?|mjs|py|css|html|md)$/.test(file) &&
        !UNCHANGED.some((folder) => file.startsWith(folder)),
    );
    expect(files.length).toBeGreaterThan(700);
    const found = files.flatMap((file) =>
      retiredWordsIn(readFileSync(join(ROOT, file), 'utf8')).map(
        ({ line, word, use }) => `${file}:${line}: "${word}"; use: ${use}`,
      ),
    );
    expect(found).toEqual([]);
  });

  it.each([
    ['the browser door is open', 'door'],
    ['// What the person was told', 'person'],
    ['const runDesk = createRunDesk();', 'nDesk'],
    ['the run is begun anew', 'anew'],
    ['it waits for a yes', 'a yes'],
  ])('are missed in: %s', (text, word) => {
    expect(retiredWordsIn(text).map((one) => one.word)).toContain(word);
  });

  it('are not missed in plain English, and in names that are stored', () => {
    const text = [
      'createDesktopWindow(); // the desktop app',
      "by: z.enum(['person', 'rule', 'policy']),",
      'The damaged file is moved aside.',
      'firewall, personal data, bookshelves of examples, walkthrough',
    ].join('\n');
    expect(retiredWordsIn(text)).toEqual([]);
  });

  it('have a word instead of each', () => {
    expect(RETIRED_WORDS.filter(({ use }) => use.trim() === '')).toEqual([]);
  });
});
