import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Issue, IssueDraft } from '#main/skills/builtin/code-review/issue.ts';
import { languageOf } from '#main/skills/builtin/code-review/languages.ts';
import { locate } from '#main/skills/builtin/code-review/locate.ts';
import { mergeIssues } from '#main/skills/builtin/code-review/merge-issues.ts';
import { findByRules } from '#main/skills/builtin/code-review/rules.ts';
import { splitCode } from '#main/skills/builtin/code-review/split-code.ts';

const draft = (line: number, quote: string, more: Partial<IssueDraft> = {}): IssueDraft => ({
  ...{ line, quote, severity: 'high', category: 'bug', message: 'Wrong.', suggestion: '' },
  ...more,
});

const LINES = [
  'def load(path):',
  '    with open(path) as file:',
  '        return file.read()',
  '',
  'def save(path, text):',
  '    with open(path) as file:',
  '        file.write(text)',
  '}',
];

describe('an issue stands', () => {
  test.each([
    ['where it says, when that is so', 3, 'return file.read()', 3],
    ['at the nearest of two places', 5, 'with open(path) as file:', 6],
    ['at the nearest of two places, upwards', 1, 'with open(path) as file:', 2],
    ['where its quote is, from a line that is not there', 99, 'file.write(text)', 7],
    ['where its quote is with its number', 1, '7|         file.write(text)', 7],
    ['where its quote is in other space, marks and case', 1, '`File.Write( text );`', 7],
    [
      'where its quote begins, over several lines',
      9,
      'def save(path, text):\n  with open(path)',
      5,
    ],
    ['where several lines stand together', 1, 'with open(path) as file:\n file.write(text)', 6],
    ['where several lines stand, with an empty one between', 1, 'return file.read()\ndef save', 3],
    ['where a piece of it is, with dots for the rest', 1, 'def save(path ... text):', 5],
    ['at its line, by a quote that could be anywhere', 8, '}', 8],
  ])('%s', (_name, line, quote, expected) => {
    const found = locate(draft(line, quote), LINES);
    expect(found?.line).toBe(expected);
    expect(found?.quote).toBe(LINES[expected - 1]?.trim());
  });

  test.each([
    ['that nobody wrote', 3, 'return file.readlines()'],
    ['too short to tell its line', 2, '}'],
    ['of nothing but marks', 3, '...'],
    ['of space', 3, '   '],
    ['of lines that do not stand together', 3, 'x = 1\nfile.write(text)'],
  ])('nowhere with a quote %s', (_name, line, quote) => {
    expect(locate(draft(line, quote), LINES)).toBeNull();
  });

  test('over as many lines as it says, and never past the end', () => {
    expect(locate(draft(1, 'def save', { end_line: 3 }), LINES)).toMatchObject({
      ...{ line: 5, end_line: 7 },
    });
    expect(locate(draft(7, 'file.write', { end_line: 70 }), LINES)?.end_line).toBe(8);
    expect(locate(draft(7, 'file.write', { end_line: 2 }), LINES)?.end_line).toBe(7);
    expect(locate(draft(2, 'with open(path) as file:\n return file.read()'), LINES)).toMatchObject({
      ...{ line: 2, end_line: 3 },
    });
  });

  test('at a line that is there, whatever a model says', () => {
    const line = fc.string({ maxLength: 30 });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1 }), fc.integer(), line, (lines, named, quote) => {
        const found = locate(draft(named, quote || ' ', { end_line: named + 3 }), lines);
        if (found === null) return;
        expect(lines[found.line - 1]?.trim().slice(0, 300)).toBe(found.quote);
        expect(found.end_line).toBeGreaterThanOrEqual(found.line);
        expect(found.end_line).toBeLessThanOrEqual(lines.length);
      }),
    );
  });
});

test('parts hold every line, in order, and as much as fits', () => {
  const length = fc.integer({ min: 0, max: 400 });
  fc.assert(
    fc.property(fc.array(length, { minLength: 1, maxLength: 80 }), (lengths) => {
      const lines = lengths.map((one) => 'x'.repeat(one));
      const parts = splitCode(lines, 600);
      let seen = 0;
      for (const { from, to, text } of parts) {
        expect(from).toBeLessThanOrEqual(seen + 1);
        expect(to).toBeGreaterThan(seen);
        expect(text).toBe(
          lines
            .slice(from - 1, to)
            .map((line, index) => `${from + index}| ${line}`)
            .join('\n'),
        );
        expect(text.length <= 600 || from === to).toBe(true);
        seen = to;
      }
      expect(seen).toBe(lines.length);
    }),
  );
});

test('what says the same of the same place is one, the worse of them', () => {
  const at = (line: number, message: string, more: Partial<Issue> = {}): Issue => ({
    ...{ line, end_line: line, message, severity: 'medium', category: 'bug', suggestion: '' },
    ...{ quote: 'x', found_by: 'model', ...more },
  });
  const merged = mergeIssues([
    at(3, 'The file is never closed.'),
    at(3, 'The opened file is never closed again.', { severity: 'high', suggestion: 'Close it.' }),
    at(3, 'A wrong name.', { category: 'style', severity: 'low' }),
    at(3, 'Divides by zero for an empty list.'),
    at(9, 'The file is never closed.'),
    at(12, 'Rule words.', { found_by: 'rule', category: 'security', severity: 'critical' }),
    at(12, 'Own words.', { category: 'security' }),
    // A third on the line is another matter, unless it says the same.
    at(12, 'The token is written into the log.', { category: 'security', severity: 'low' }),
    at(12, 'Own words.', { category: 'security', severity: 'low' }),
  ]);
  expect(
    merged.map(({ line, severity, message, found_by }) => [line, severity, message, found_by]),
  ).toEqual([
    [12, 'critical', 'Own words.', 'both'],
    [3, 'high', 'The opened file is never closed again.', 'model'],
    [3, 'medium', 'Divides by zero for an empty list.', 'model'],
    [9, 'medium', 'The file is never closed.', 'model'],
    [3, 'low', 'A wrong name.', 'model'],
    [12, 'low', 'The token is written into the log.', 'model'],
  ]);
});

test('rules find what is sure, and let be what only looks like it', () => {
  const found: [string, string][] = [
    ['python', 'result = eval(text)'],
    ['javascript', 'const run = new Function(body);'],
    ['go', `key := "AKIA${'A1'.repeat(8)}"`],
    ['python', '# -----BEGIN RSA PRIVATE KEY-----'],
    ['javascript', "const config = { password: 'hunter2hunter2' };"],
    ['python', 'subprocess.run(f"rm {path}", shell=True)'],
    ['python', 'os.system("rm " + path)'],
    ['python', 'data = pickle.loads(body)'],
    ['python', 'yaml.load(text)'],
    ['python', 'db.execute(f"SELECT * FROM t WHERE id = {id}")'],
    ['python', `db.execute("SELECT * FROM t WHERE name = '" + name + "'")`],
    ['javascript', 'db.query(`SELECT * FROM t WHERE id = ${id}`)'],
    ['python', 'requests.get(url, verify=False)'],
    ['javascript', 'box.innerHTML = text;'],
    ['python', 'def add(item, items=[]):'],
    ['python', '    except:'],
    ['javascript', 'if (user = admin) grant();'],
  ];
  for (const [language, line] of found) {
    expect([line, findByRules([line], language).length]).toEqual([line, 1]);
  }
  const fine: [string, string][] = [
    ['python', 'ast.literal_eval(text)'],
    ['python', 'model.eval()'],
    ['python', '# never use eval(text)'],
    ['javascript', 'const password = "change-me-please";'],
    ['javascript', 'const password = process.env.PASSWORD;'],
    ['python', 'api_key = "<your key here>"'],
    ['python', 'yaml.load(text, Loader=yaml.SafeLoader)'],
    ['python', 'db.execute("SELECT * FROM t WHERE id = ?", (id,))'],
    ['javascript', "box.innerHTML = '';"],
    ['javascript', 'if (user === admin) grant();'],
    ['javascript', 'if (list.some((one) => one.x >= 3)) go();'],
    ['javascript', 'if (a <= b) go();'],
    ['go', 'eval(text)'],
  ];
  for (const [language, line] of fine) {
    expect([line, findByRules([line], language)]).toEqual([line, []]);
  }
});

test('the language of a file is that of its name, else of what stands in it', () => {
  expect(languageOf('a/b.PY', '')).toBe('python');
  expect(languageOf(null, '#!/usr/bin/env bash\necho')).toBe('bash');
  expect(languageOf(null, 'import os\n')).toBe('python');
  expect(languageOf(null, 'const x: number = 1;')).toBe('typescript');
  expect(languageOf(null, 'let x = 1')).toBe('javascript');
  expect(languageOf('notes', 'hello')).toBe('text');
});
