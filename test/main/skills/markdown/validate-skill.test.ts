import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { validateSkillFolder } from '#main/skills/markdown/validate-skill.ts';
import { INVALID } from './invalid-cases.ts';
import { type SkillCase, VALID } from './valid-cases.ts';

function put({ name, files }: SkillCase): string {
  const root = mkdtempSync(path.join(tmpdir(), 'hyperagent-skill-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const dir = path.join(root, name);
  for (const [file, content] of Object.entries(files)) {
    const target = path.join(dir, file);
    mkdirSync(path.dirname(target), { recursive: true });
    if (typeof content === 'string' && content.startsWith('link:')) {
      symlinkSync(content.slice('link:'.length), target);
    } else writeFileSync(target, content);
  }
  return dir;
}

it.each(VALID)('valid: $what', async (skill) => {
  const { name, findings } = await validateSkillFolder(put(skill));
  expect(name).toBe(skill.name);
  // Scripts and brackets of tools are noted, and nothing else.
  expect(findings.filter(({ severity }) => severity !== 'note')).toEqual([]);
});

it.each(INVALID)('invalid: $what → $rule', async (skill) => {
  const { findings } = await validateSkillFolder(put(skill));
  const severity = skill.isWarning === true ? 'warning' : 'error';
  const found = findings.find(({ rule }) => rule === skill.rule);
  expect(found).toMatchObject({
    severity,
    ...(skill.file === undefined ? {} : { file: skill.file }),
    ...(skill.line === undefined ? {} : { line: skill.line }),
  });
  // Nothing else stands in the way: the verdict is for the right reason.
  const others = findings.filter((one) => one.severity === 'error' && one.rule !== skill.rule);
  expect(others.filter(({ rule }) => rule !== 'link' && rule !== 'injection_hidden_text')).toEqual(
    [],
  );
});

it('tells of a folder that is not there', async () => {
  await expect(validateSkillFolder('/nowhere/at/all')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
