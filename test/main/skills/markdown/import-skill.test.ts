import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { importSkillFiles } from '#main/skills/markdown/import-skill.ts';

const TEA = '---\nname: tea\ndescription: Makes tea. Use for tea.\n---\nMake tea.\n';

function openImports(taken: readonly string[] = []) {
  const root = mkdtempSync(path.join(tmpdir(), 'hyperagent-import-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const dir = path.join(root, 'skills');
  const bring = async (files: Readonly<Record<string, string | Buffer>> | [string, string][]) => {
    const entries = Array.isArray(files) ? files : Object.entries(files);
    const given = entries.map(([name, content]) => ({ path: name, bytes: Buffer.from(content) }));
    try {
      return await importSkillFiles(given, { dir, isTaken: (id) => taken.includes(id) });
    } catch (error) {
      return error as Error & { code: string };
    }
  };
  /** Everything below the data folder. */
  const all = () => readdirSync(root, { recursive: true, encoding: 'utf8' }).sort();
  return { dir, bring, all };
}

it('puts a SKILL.md, or a folder as it was picked, below its own name, without permissions', async () => {
  const { dir, bring, all } = openImports();
  expect(await bring({ 'SKILL.md': TEA })).toBe('tea');
  const pot = TEA.replace('name: tea', 'name: tea-pot');
  expect(await bring({ 'my pots/SKILL.md': pot, 'my pots/sub/run.sh': '#!/bin/sh\n' })).toBe(
    'tea-pot',
  );
  expect(readFileSync(path.join(dir, 'tea', 'SKILL.md'), 'utf8')).toBe(TEA);
  const modes = ['tea-pot', 'tea-pot/SKILL.md', 'tea-pot/sub/run.sh'].map(
    (name) => statSync(path.join(dir, name)).mode & 0o777,
  );
  if (process.platform !== 'win32') expect(modes).toEqual([0o700, 0o600, 0o600]);
  expect(all()).toEqual([
    ...['skills', 'skills/tea', 'skills/tea-pot', 'skills/tea-pot/SKILL.md', 'skills/tea-pot/sub'],
    ...['skills/tea-pot/sub/run.sh', 'skills/tea/SKILL.md'],
  ]);
});

const named = (name: string) => TEA.replace('name: tea', `name: ${name}`);
it.each<[string, Record<string, string | Buffer> | [string, string][]]>([
  ['a path out of the folder', { 'SKILL.md': TEA, '../evil.md': 'x' }],
  ['a path out and in again', { 'SKILL.md': TEA, 'a/../../skills/evil/SKILL.md': 'x' }],
  ['an absolute path', { 'SKILL.md': TEA, '/tmp/evil.md': 'x' }],
  ['a path of Windows', { 'SKILL.md': TEA, '..\\evil.md': 'x' }],
  ['a drive', { 'SKILL.md': TEA, 'C:evil.md': 'x' }],
  ['a stream of NTFS', { 'SKILL.md': TEA, 'a.md:hidden': 'x' }],
  ['a device', { 'SKILL.md': TEA, 'sub/NUL.md': 'x' }],
  ['an empty part', { 'SKILL.md': TEA, 'a//b.md': 'x' }],
  ['a dot at the end', { 'SKILL.md': TEA, 'a./b.md': 'x' }],
  ['a null byte', { 'SKILL.md': TEA, 'a\0.md': 'x' }],
  ['a mark that turns text around', { 'SKILL.md': TEA, 'a\u202Edm.exe': 'x' }],
  [
    'the same file twice',
    [
      ['SKILL.md', TEA],
      ['SKILL.md', `${TEA}more`],
    ],
  ],
  ['names that differ only in case', { 'SKILL.md': TEA, 'skill.md': 'x' }],
  ['names that differ only in composition', { 'SKILL.md': TEA, 'é.md': 'x', 'e\u0301.md': 'y' }],
  ['a file that is a folder too', { 'SKILL.md': TEA, a: 'x', 'a/b.md': 'y' }],
  ['too deep a folder', { 'SKILL.md': TEA, [`${'a/'.repeat(12)}b.md`]: 'x' }],
  ['too much', { 'SKILL.md': TEA, 'big.bin': Buffer.alloc(11 * 1024 * 1024) }],
  [
    'too many files',
    Object.fromEntries([
      ['SKILL.md', TEA],
      ...Array.from({ length: 501 }, (_, i) => [`${i}.md`, 'x']),
    ]),
  ],
  ['no SKILL.md', { 'README.md': TEA }],
  ['a SKILL.md too far down', { 'a/b/SKILL.md': TEA }],
  ['two folders', { 'a/SKILL.md': TEA, 'b/SKILL.md': TEA }],
  ['bytes for text', { 'SKILL.md': Buffer.from([0x2d, 0x2d, 0x2d, 0x0a, 0xff, 0xfe]) }],
  ['no front matter', { 'SKILL.md': 'Make tea.' }],
  ['front matter without end', { 'SKILL.md': '---\nname: tea\n' }],
  ['no instructions', { 'SKILL.md': TEA.replace('Make tea.\n', '') }],
  ['a name that climbs', { 'SKILL.md': named('../evil') }],
  ['a name with a slash', { 'SKILL.md': named('a/b') }],
  ['a name in capitals', { 'SKILL.md': named('Tea') }],
  ['a device for a name', { 'SKILL.md': named('nul') }],
  ['a name that is no text', { 'SKILL.md': named('[tea]') }],
  ['two names', { 'SKILL.md': named('tea\nname: other') }],
  ['a bomb of aliases', { 'SKILL.md': named(`tea\nmetadata: ${'&a [*a, '.repeat(200)}`) }],
  [
    'a step that names a missing file',
    { 'SKILL.md': `${TEA}\n## Steps\n\n1. Read [it](sub/gone.md).\n` },
  ],
])('refuses %s, and leaves nothing behind', async (_what, files) => {
  const { bring, all } = openImports();
  expect(await bring(files)).toMatchObject({
    code: 'SKILL_CODE_INVALID',
    message: expect.stringContaining('cannot be imported'),
  });
  expect(all().filter((name) => name !== 'skills')).toEqual([]);
});

it('overwrites nothing, neither a known skill nor a folder that is there', async () => {
  const { dir, bring, all } = openImports(['tea']);
  expect(await bring({ 'SKILL.md': TEA })).toMatchObject({ code: 'CONFLICT' });
  mkdirSync(path.join(dir, 'pot', 'mine'), { recursive: true });
  expect(await bring({ 'SKILL.md': named('pot') })).toMatchObject({ code: 'CONFLICT' });
  expect(all()).toEqual(['skills', 'skills/pot', 'skills/pot/mine']);
});
