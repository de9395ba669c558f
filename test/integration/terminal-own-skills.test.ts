import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { SkillDetail, SkillReview, SkillSummary } from '#contract/skills.ts';
import { writeSkillFile } from '#main/skills/dynamic/skill-file.ts';
import { ensureBuilt, eventsOf, runTerminal, type TerminalResult } from '../setup/built-app.ts';

/** A person's own skills in the built app: from a file or a folder to a yes, and to a run. */

beforeAll(ensureBuilt);

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hyperagent-own-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Some ten processes one after the other, on a machine that has others to run. */

type Terminal = (...args: readonly string[]) => Promise<TerminalResult>;
const terminalOn =
  (dataDir: string): Terminal =>
  (...args) =>
    runTerminal(['skills', ...args, '--data-dir', dataDir]);

async function reviewOf(skills: Terminal, id: string): Promise<SkillReview> {
  return SkillReview.parse(JSON.parse((await skills('review', id, '--json')).stdout));
}
async function stateOf(skills: Terminal, id: string): Promise<SkillSummary['state'] | undefined> {
  const { stdout } = await skills('list', '--json');
  const found = SkillSummary.array().parse(JSON.parse(stdout));
  return found.find((skill) => skill.id === id)?.state;
}

const adder = (more = ''): string => `import { defineSkill } from 'hyperagent';
export default defineSkill({
  metadata: {
    id: 'adder', name: 'Adder', description: 'Adds.', category: 'data', capabilities: ['emit'],
    parameters: [
      { name: 'a', type: 'number', description: 'one' },
      { name: 'b', type: 'number', description: 'other' },
    ],
    outputSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
  },
  async run({ a, b }: { a: number; b: number }) {
    return { sum: a + b${more} };
  },
});
`;

test('a dynamic skill: taken in, reviewed, approved, run, written out, taken in elsewhere', async () => {
  const dir = temporaryFolder();
  const skills = terminalOn(join(dir, 'data'));
  const file = (name: string, source: string): string => {
    writeFileSync(join(dir, name), writeSkillFile({ language: 'typescript', source }));
    return join(dir, name);
  };
  const run = ['run', 'adder', '--param', 'a=2', '--param', 'b=3', '--model', 'demo'];
  const runAll = [...run, '--approve', 'all', '--json'];
  expect((await skills('import', file('adder.json', adder()))).code).toBe(0);
  expect(await stateOf(skills, 'adder')).toBe('needs_review');
  const early = await skills(...runAll);
  expect([early.code, early.stdout, early.stderr.includes('Review')]).toEqual([1, '', true]);

  const review = await reviewOf(skills, 'adder');
  expect(review).toMatchObject({
    capabilities: { before: [], after: ['emit'] },
    mayApprove: true,
  });
  const shown = await skills('review', 'adder');
  for (const line of adder().trimEnd().split('\n')) expect(shown.stdout).toContain(`+ ${line}\n`);
  const approve = ['approve', 'adder', '--sha256', review.sha256];
  expect((await skills(...approve, '--grant', 'sandbox')).code).toBe(2);
  const approved = await skills(...approve, '--grant', 'emit', '--json');
  expect(SkillDetail.parse(JSON.parse(approved.stdout)).granted).toEqual(['emit']);

  const done = await skills(...runAll);
  expect([done.code, done.stderr]).toEqual([0, '']);
  expect(eventsOf(done.events(), 'skill_output').map(({ output }) => output)).toEqual([{ sum: 5 }]);
  expect(eventsOf(done.events(), 'complete').map(({ answer }) => answer)).toEqual(['**Sum**: 5']);
  const readable = await skills(...run, '--approve', 'all');
  expect(readable.stdout).toMatch(/\n◆ adder Skill Adder\n(.*\n)*◆ adder done \(\d+\.\d s\)\n/);
  expect(readable.stdout).toMatch(/\n▣ adder returned sum\n(.*\n)*\*\*Sum\*\*: 5\n$/);

  const records = JSON.parse((await skills('executions', 'adder', '--json')).stdout);
  expect(records).toMatchObject([
    { skillId: 'adder', status: 'completed', output: { sum: 5 } },
    { skillId: 'adder', status: 'completed', input: { a: 2, b: 3 } },
  ]);
  const record = await skills('execution', records[0].id);
  expect(record.stdout).toContain('Output:\n{\n  "sum": 5\n}');
  expect((await skills('execution', 'nobody')).code).not.toBe(0);
  expect((await skills('executions')).stdout.match(/ {2}adder {2}.* {2}completed/g)).toHaveLength(
    2,
  );

  expect((await skills('export', 'adder', '-o', join(dir, 'out.json'))).code).toBe(0);
  expect(readFileSync(join(dir, 'out.json'))).toEqual(readFileSync(join(dir, 'adder.json')));
  const elsewhere = terminalOn(join(dir, 'elsewhere'));
  expect((await elsewhere('import', join(dir, 'out.json'))).code).toBe(0);
  expect(await stateOf(elsewhere, 'adder')).toBe('needs_review');

  expect((await skills('import', file('next.json', adder(' + 1')))).code).toBe(0);
  const stale = await skills(...approve, '--grant', 'emit');
  const changed = await skills('review', 'adder');
  expect([stale.code, await stateOf(skills, 'adder')]).toEqual([1, 'needs_review']);
  expect(changed.stdout).toContain(
    '-     return { sum: a + b };\n+     return { sum: a + b + 1 };\n',
  );
});

test('a file that is no skill, or was changed on the way, is not taken in', async () => {
  const dir = temporaryFolder();
  const skills = terminalOn(join(dir, 'data'));
  const whole = writeSkillFile({ language: 'typescript', source: adder() });
  const cases = { torn: whole.slice(0, 90), changed: whole.replace('a + b', 'a - b'), none: '{}' };
  for (const [name, text] of Object.entries(cases)) {
    writeFileSync(join(dir, name), text);
    const { code, stdout, stderr } = await skills('import', join(dir, name));
    expect([name, code, stdout, stderr.startsWith('hyperagent: ')]).toEqual([name, 2, '', true]);
  }
  expect(await stateOf(skills, 'adder')).toBeUndefined();
});

test('a Markdown skill of the person: found in the data folder, approved, stopped by any change', async () => {
  const dataDir = join(temporaryFolder(), 'data');
  const skills = terminalOn(dataDir);
  const folder = join(dataDir, 'skills', 'greeting');
  await skills('disable', 'exam-tutor');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'SKILL.md'),
    '---\nname: greeting\ndescription: Greets people.\n---\n# Greeting\n\n## Steps\n\n1. **Say hi.** Kindly.\n',
  );
  expect(await stateOf(skills, 'greeting')).toBe('needs_review');
  const { sha256, files } = await reviewOf(skills, 'greeting');
  expect(files.map(({ path, before }) => [path, before])).toEqual([['SKILL.md', null]]);
  expect((await skills('approve', 'greeting', '--sha256', sha256)).code).toBe(0);
  expect(await stateOf(skills, 'greeting')).toBe('ready');
  expect((await skills('show', 'greeting')).stdout).toContain('Steps:\n  1. Say hi');
  const guided = await skills('run', 'greeting', '--model', 'demo');
  expect([guided.code, guided.stderr.includes('use the skill greeting')]).toEqual([2, true]);

  cpSync(join(folder, 'SKILL.md'), join(folder, 'more.md'));
  expect(await stateOf(skills, 'greeting')).toBe('needs_review');
  expect((await skills('approve', 'greeting', '--sha256', sha256)).code).toBe(1);
  expect((await skills('review', 'greeting')).stdout).toContain('more.md: new\n+ ---\n');
  expect(await stateOf(skills, 'exam-tutor')).toBe('disabled');
});

test('a SKILL.md and a folder are taken in, by their names, and by nobody known', async () => {
  const dir = temporaryFolder();
  const skills = terminalOn(join(dir, 'data'));
  const text = (name: string, more = ''): string =>
    `---\nname: ${name}\ndescription: Makes ${name}. Use for it.\nmetadata:\n  author: HyperAgent\n---\n# Make it\n${more}`;
  const folder = join(dir, 'a folder of mine');
  mkdirSync(join(folder, 'sub'), { recursive: true });
  writeFileSync(
    join(folder, 'SKILL.md'),
    text('tea', '\n## Steps\n\n1. Read [the plan](sub/plan.md).\n'),
  );
  writeFileSync(join(folder, 'sub', 'plan.md'), 'Three grams.\n');
  writeFileSync(join(dir, 'SKILL.md'), text('coffee'));

  const alone = await skills('import', join(folder, 'SKILL.md'));
  expect([alone.code, alone.stderr.includes('sub/plan.md')]).toEqual([2, true]);
  expect((await skills('import', folder)).stdout).toContain('Imported tea 1.0.0.');
  expect((await skills('import', join(dir, 'SKILL.md'))).code).toBe(0);
  expect([await stateOf(skills, 'tea'), await stateOf(skills, 'coffee')]).toEqual([
    'needs_review',
    'needs_review',
  ]);
  const shown = await skills('show', 'tea');
  expect(shown.stdout).toContain('by an unknown author');
  const { files } = await reviewOf(skills, 'tea');
  expect(files.map(({ path }) => path).sort()).toEqual(['SKILL.md', 'sub/plan.md']);
  const again = await skills('import', folder);
  expect([again.code, again.stderr.includes('There is a skill tea already')]).toEqual([1, true]);
  writeFileSync(join(folder, 'SKILL.md'), text('web-research'));
  expect((await skills('import', folder)).stderr).toContain(
    'There is a skill web-research already',
  );
  symlinkSync('/etc/passwd', join(folder, 'link.md'));
  expect((await skills('import', folder)).stderr).toContain('links are not followed');
});
