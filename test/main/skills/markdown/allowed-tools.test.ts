import { expect, it } from 'vitest';
import { mapAllowedTools, splitToolNames } from '#main/skills/markdown/allowed-tools.ts';
import { commandWords } from '#main/skills/markdown/command-words.ts';
import { describeGrants, isGranted } from '#main/skills/markdown/tool-grant.ts';

const grantsOf = (text: string) => mapAllowedTools(splitToolNames(text)).grants ?? [];
const allows = (text: string, name: string, input: Record<string, unknown> = {}) =>
  isGranted(grantsOf(text), { name, input });

it.each([
  ['Read  Write,Edit', ['Read', 'Write', 'Edit']],
  ['Bash(git add *), Read', ['Bash(git add *)', 'Read']],
  [' ', []],
  ['Bash(git', null],
  ['Bash (git:*)', null],
  ['Bash(git)Read', null],
  ['Read)', null],
  ['Bash(echo (x))', null],
])('parts %j', (text, names) => {
  expect(splitToolNames(text)).toEqual(names);
});

it('parts names of any length', () => {
  expect(splitToolNames(`${'a'.repeat(60_000)}(`)).toBeNull();
  expect(splitToolNames(`a${' '.repeat(60_000)}b`)).toEqual(['a', 'b']);
});

it.each([
  ['Bash', ['shell_command', 'execute_code']],
  ['Bash(*)', ['shell_command']],
  ['Bash(git:*) Bash(git:*)', ['shell_command(git:*)']],
  ['Bash(npm run test)', ['shell_command(npm run test)']],
  ['shell_command(git add:*)', ['shell_command(git add:*)']],
  ['Read', ['sandbox_file(read, list)']],
  ['Write(./docs/**)', ['sandbox_file(write in docs/**)']],
  ['WebFetch(domain:Example.org)', ['fetch_page(domain:example.org)']],
  ['sandbox_file', ['sandbox_file']],
])('%s is %j here', (text, shown) => {
  expect(describeGrants(grantsOf(text))).toEqual(shown);
});

it.each([
  ...['Teleport', 'mcp__a__b', '__proto__', 'Bash()', 'Bash(git*)', 'Bash(* --version)'],
  ...['Bash(a && b)', 'Bash(a $B:*)', 'WebSearch(cats)', 'execute_code(python)', 'Skill(pdf)'],
  ...['WebFetch(example.org)', 'WebFetch(domain:*)', 'Read(~/x)', 'Read(//etc)', 'Read(../x)'],
  ...['Read(!x)', 'Read()', 'AskUserQuestion(x)'],
])('%s is a finding, and allows nothing', (text) => {
  const { grants, findings } = mapAllowedTools(splitToolNames(text));
  expect([grants, findings.map(({ severity }) => severity)]).toEqual([[], ['warning']]);
  expect(findings[0]?.message).toContain(text);
});

it('a pattern that is longer than any command or path allows nothing', () => {
  expect(grantsOf(`Read(${'a'.repeat(2_000)}) Bash(${' '.repeat(60_000)}x)`)).toEqual([]);
});

it.each([
  ['git status', ['git', 'status']],
  [`git commit -m "a; b" 'c $d' e"f"g`, ['git', 'commit', '-m', 'a; b', 'c $d', 'efg']],
  [' git log *.ts ', ['git', 'log', '*.ts']],
  ['git show größe', ['git', 'show', 'größe']],
  ...[
    ...['git a; b', 'git a && b', 'git a | b', 'git a & b', 'git a > b', 'git a < b', 'git $(a)'],
    ...['git `a`', 'git $A', 'git "$A"', 'git "`a`"', 'git a\nb', 'git a \\\nb', 'git "a\\"b"'],
    ...['A=1 git', 'A+=1 git', 'git "a', "git 'a", 'git a # b', '(git a)', '! git a', '', "''"],
    ...['git a\rb', 'git\u00a0a', 'git <(a)', 'git ~/a', "git $'a'"],
  ].map((line): [string, null] => [line, null]),
])('%j has the words %j', (line, words) => {
  expect(commandWords(line)).toEqual(words);
});

it('lets a shell run what begins so, or is that, and nothing else', () => {
  const run = (text: string, command: unknown) => allows(text, 'shell_command', { command });
  expect(
    [
      'git',
      'git status',
      `"git" log`,
      'gitk',
      'git;ls',
      'sudo git',
      '/usr/bin/git x',
      'GIT x',
      7,
    ].map((command) => run('Bash(git:*)', command)),
  ).toEqual([true, true, true, false, false, false, false, false, false]);
  expect(
    ['npm test', 'npm  test', 'npm test x', 'npm'].map((one) => run('Bash(npm test)', one)),
  ).toEqual([true, true, false, false]);
  expect(allows('Bash(git:*)', 'execute_code', { language: 'bash', code: 'git status' })).toBe(
    false,
  );
  expect(run('Bash(git:*) Bash', 'ls')).toBe(true);
});

it('lets files be touched by what was meant, where it was meant', () => {
  const touch = (text: string, operation: string, path: string, destination?: string) =>
    allows(text, 'sandbox_file', { operation, path, ...(destination ? { destination } : {}) });
  expect(
    ['read', 'list', 'write', 'delete', 'move'].map((one) => touch('Read', one, 'a', 'b')),
  ).toEqual([true, true, false, false, false]);
  const docs = 'sandbox_file(docs/)';
  expect(
    [
      ...[
        'docs',
        'docs/a',
        '/workspace/docs/a/b',
        './docs/a',
        'docs/../a',
        'docsa',
        'a/docs/b',
        '.',
      ],
    ].map((path) => touch(docs, 'read', path)),
  ).toEqual([true, true, true, true, false, false, true, false]);
  expect(touch('sandbox_file(./docs/**)', 'read', 'a/docs/b')).toBe(false);
  expect([touch(docs, 'move', 'docs/a', 'docs/b'), touch(docs, 'move', 'docs/a', 'b')]).toEqual([
    ...[true, false],
  ]);
  expect(['a.ts', 'x/a.ts', 'a.tsx'].map((path) => touch('Read(*.ts)', 'read', path))).toEqual([
    ...[true, true, false],
  ]);
});

it('lets pages be read from the host that is named', () => {
  const fetch = (text: string, url: unknown) => allows(text, 'fetch_page', { url });
  expect(
    [
      ...['https://example.org/a', 'http://EXAMPLE.org', 'https://a.example.org', 'library:x'],
      ...['https://example.org.evil.test', 'https://example.org@evil.test', 'example.org', null],
    ].map((url) => fetch('WebFetch(domain:example.org)', url)),
  ).toEqual([true, true, false, false, false, false, false, false]);
  expect(
    ['https://a.example.org', 'https://example.org', 'https://aexample.org'].map((url) =>
      fetch('WebFetch(domain:*.example.org)', url),
    ),
  ).toEqual([true, false, false]);
});
