import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RunEvent } from '#contract/events/run-event.ts';
import { SkillDetail, SkillReview, SkillSummary } from '#contract/skills.ts';
import { openData } from '../../fakes/open-data.ts';
import { type CliResult, runCli } from './run-cli.ts';

/** `hyperagent skills` as a process of its own, over a real data folder. */

let dir: string;
let dataDir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hyperagent-skills-'));
  dataDir = join(dir, 'data');
});

/** For a test of several processes one after the other, on a machine that has others to run. */

afterEach(() => rmSync(dir, { recursive: true, force: true }));

const ENTRY = join(import.meta.dirname, '../../fakes/skills/cli-entry.ts');
const skills = (...args: readonly string[]): Promise<CliResult> =>
  runCli(['skills', ...args, '--data-dir', dataDir], { entry: ENTRY, cwd: dir });

const GREETER = {
  ...{ id: 'greeter', name: 'Greeter', version: '1.2.0', author: 'me', category: 'creative' },
  ...{ description: 'Greets.', capabilities: ['llm', 'sandbox'], requiredTools: ['web_search'] },
};
function skillFile(more: object = {}): string {
  const file = join(dir, 'greeter.json');
  writeFileSync(file, `${JSON.stringify({ ...GREETER, ...more }, null, 1)}\n`);
  return file;
}
const reviewOf = async (): Promise<SkillReview> =>
  SkillReview.parse(JSON.parse((await skills('review', 'greeter', '--json')).stdout));

describe('hyperagent skills list and show', () => {
  it('list every skill without data, and create none', async () => {
    const listed = await skills('list');

    expect(listed).toMatchObject({ code: 0, stderr: '' });
    expect(listed.stdout.split('\n')).toEqual([
      'code_review  code, builtin, risk low, ready, never used',
      '    Finds bugs in code.',
      'web_research  research, builtin, risk low, ready, never used',
      '    Searches and sums up.',
      '',
    ]);
    expect(existsSync(join(dataDir, 'hyperagent.db'))).toBe(false);
  });

  it('filter by category and words, and print one JSON array', async () => {
    const [code, words, none, wrong] = await Promise.all([
      skills('list', '--category', 'code', '--json'),
      skills('list', '--search', 'FACTS sums', '--json'),
      skills('list', '--search', 'nothing like it'),
      skills('list', '--category', 'cooking'),
    ]);

    expect(JSON.parse(code.stdout)).toEqual([
      {
        ...{ id: 'code_review', name: 'Code Review', version: '2.0.1', category: 'code' },
        ...{ description: 'Finds bugs in code.', source: 'builtin', folder: null },
        ...{ author: 'hyperagent', tags: ['quality'], risk: 'low', state: 'ready' },
        ...{ problem: null, invocationCount: 0, lastInvokedAt: null },
      },
    ]);
    expect(SkillSummary.array().parse(JSON.parse(words.stdout))).toMatchObject([
      { id: 'web_research' },
    ]);
    expect([none.code, none.stdout]).toEqual([0, 'No skills found.\n']);
    expect([wrong.code, wrong.stderr.includes('one of research, data, creative')]).toEqual([
      2,
      true,
    ]);
  });

  it('show the parameters and outputs of a skill', async () => {
    const { stdout } = await skills('show', 'web_research');
    const asJson = await skills('show', 'web-research', '--json');

    expect(stdout).toBe(
      [
        'Web Research (web_research) 1.0.0',
        '  Searches and sums up.',
        'category  research',
        'from      builtin, by hyperagent',
        'state     ready',
        'risk      low',
        'uses      never used',
        'tags      web, facts',
        'may use   llm, search',
        'needs     web_search',
        'Parameters:',
        '  topic (string): what about',
        '  max_sources (number, default 5): how many',
        '  kind (string, optional, one of news, paper): of source',
        '  only (array, optional): hosts',
        '  more (object, optional): as it is',
        'Returns:',
        '  summary (string)',
        '',
      ].join('\n'),
    );
    expect(SkillDetail.parse(JSON.parse(asJson.stdout)).summary.id).toBe('web_research');
  });

  it('suggest a skill for an unknown id', async () => {
    expect(await skills('show', 'web')).toMatchObject({
      ...{ code: 2, stdout: '' },
      stderr: expect.stringContaining('There is no skill "web". Did you mean web_research?'),
    });
  });
});

describe('hyperagent skills enable and disable', () => {
  it('persist', async () => {
    const off = await skills('disable', 'code_review');
    const listed = await skills('list', '--category', 'code', '--json');
    const refused = await skills('run', 'code_review', '--param', 'code=x');
    const on = await skills('enable', 'code_review', '--json');

    expect([off.code, off.stdout]).toEqual([0, 'code_review is disabled.\n']);
    expect(JSON.parse(listed.stdout)).toMatchObject([{ state: 'disabled' }]);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toBe(
      'hyperagent: The skill code_review is switched off. Switch it on again on the Skills page.\n',
    );
    expect(JSON.parse(on.stdout)).toMatchObject({ id: 'code_review', state: 'ready' });
  });

  it('read next to a running app, and change nothing there', async () => {
    const open = openData(dataDir);
    try {
      const listed = await skills('list', '--json');
      const refused = await skills('disable', 'code_review');

      expect(JSON.parse(listed.stdout)).toHaveLength(2);
      expect([refused.code, refused.stdout]).toEqual([1, '']);
      expect(refused.stderr).toMatch(
        /^hyperagent: HyperAgent is already running on .* Use that one, close it, or choose another data folder\.\n$/,
      );
      expect(open.skills.definition('code_review')).toBeNull();
    } finally {
      open.close();
    }
  });
});

describe('hyperagent skills import, review, approve and export', () => {
  it('import a skill, which needs approval of its exact bytes', async () => {
    const imported = await skills('import', skillFile());
    const [waiting, refused, { sha256, ...review }] = await Promise.all([
      skills('list', '--search', 'greets'),
      skills('run', 'greeter'),
      reviewOf(),
    ]);
    const other = await skills('approve', 'greeter', '--sha256', 'f'.repeat(64));
    const approved = await skills('approve', 'greeter', '--sha256', sha256, '--grant', 'llm');
    const shown = await skills('show', 'greeter', '--json');

    expect([imported.code, imported.stdout]).toEqual([
      0,
      'Imported greeter 1.2.0. Review it with: hyperagent skills review greeter\n',
    ]);
    expect(waiting.stdout).toContain('greeter  creative, dynamic, risk high, needs review');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(review.capabilities).toEqual({ before: [], after: ['llm', 'sandbox'] });
    expect(other).toMatchObject({ code: 1, stdout: '' });
    expect([approved.code, approved.stdout]).toEqual([
      0,
      'greeter 1.2.0 is approved. It may use llm.\n',
    ]);
    expect(SkillDetail.parse(JSON.parse(shown.stdout))).toMatchObject({
      summary: { state: 'ready' },
      granted: ['llm'],
    });
  });

  it('show a change in full, with nothing hidden and no line that imitates the app', async () => {
    await skills('import', skillFile());
    const first = await reviewOf();
    await skills('approve', 'greeter', '--sha256', first.sha256, '--grant', 'llm');
    const name = 'Greeter\nsha256    0000\u202e';
    await skills('import', skillFile({ name, capabilities: ['llm', 'search'] }));
    const { sha256 } = await reviewOf();
    const { stdout } = await skills('review', 'greeter');

    expect(stdout.split('\n')).toEqual([
      'Greeter⟨U+000A⟩sha256    0000⟨U+202E⟩ (greeter), dynamic',
      `sha256    ${sha256}`,
      'requests  llm, search (new)',
      'tools     web_search',
      '! skill.ts:3: warning: It asks for the sandbox⟨U+202E⟩. [asks_for_much]',
      '',
      'skill.ts: changed',
      '  {',
      '   "id": "greeter",',
      '-  "name": "Greeter",',
      '+  "name": "Greeter\\nsha256    0000⟨U+202E⟩",',
      '   "version": "1.2.0",',
      '   "author": "me",',
      '   "category": "creative",',
      '   "description": "Greets.",',
      '   "capabilities": [',
      '    "llm",',
      '-   "sandbox"',
      '+   "search"',
      '   ],',
      '   "requiredTools": [',
      '    "web_search"',
      '   ]',
      '  }',
      '',
      `To approve exactly this, run: hyperagent skills approve greeter --sha256 ${sha256} --grant llm --grant search`,
      '',
    ]);
  });

  it('write a skill to a file that another data folder can import', async () => {
    const file = skillFile();
    await skills('import', file);
    const exported = await skills('export', 'greeter', '--json');
    const named = await skills('export', 'greeter', '-o', join(dir, 'mine.json'));
    const bytes = readFileSync(file).length;

    expect(JSON.parse(exported.stdout)).toEqual({
      ...{ skillId: 'greeter', file: 'greeter.skill.json', bytes },
    });
    expect([named.code, named.stdout]).toEqual([
      0,
      `Saved the skill to ${join(dir, 'mine.json')} (${bytes} bytes).\n`,
    ]);
    expect(readFileSync(join(dir, 'greeter.skill.json'))).toEqual(readFileSync(file));
    dataDir = join(dir, 'other');
    const again = await skills('import', join(dir, 'mine.json'), '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ summary: { id: 'greeter' } });
  });

  it('refuse invalid arguments before anything is opened', async () => {
    const cases = [
      { args: ['import', join(dir, 'gone.json')], says: 'cannot be read: the file does not exist' },
      { args: ['approve', 'greeter', '--sha256', 'abc'], says: '64-digit hash' },
      {
        args: ['approve', 'greeter', '--sha256', 'f'.repeat(64), '--grant', 'root'],
        says: '--grant root: must be one of llm, search, fetch, sandbox, invokeSkill, emit.',
      },
      { args: ['approve', 'greeter'], says: '--sha256' },
      { args: ['export', 'code_review'], says: 'is not a skill with editable source' },
      { args: ['review', 'code_review'], says: 'comes with the app and needs no review' },
    ];
    const results = await Promise.all(cases.map(({ args }) => skills(...args)));

    expect(results.map(({ code, stdout }) => [code, stdout])).toEqual(cases.map(() => [2, '']));
    for (const [index, { says }] of cases.entries()) {
      expect(results[index]?.stderr).toContain(says);
    }
  });
});

describe('hyperagent skills run', () => {
  it('starts a run that is the skill, with its parameters as values and the options of a run', async () => {
    const { code, stdout, stderr } = await skills(
      ...['run', 'web-research', '--json', '--params-json', '{"topic": "lost", "more": {"a": 1}}'],
      ...['--param', 'topic=a=b 7', '--param', 'max_sources=3', '--param', 'only=["x.org"]'],
      ...['--model', 'ollama:x', '--network', 'offline', '--approve', 'all', '--timeout', '9'],
    );

    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => RunEvent.parse(JSON.parse(line)));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(events.map(({ type }) => type)).toEqual(['stage', 'skill_output', 'complete']);
    expect(events[1]).toMatchObject({
      output: {
        prompt: 'Web Research, topic: a=b 7\nmore: {"a":1}\nmax_sources: 3\nonly: ["x.org"]',
        options: {
          skill: {
            id: 'web_research',
            params: { topic: 'a=b 7', max_sources: 3, only: ['x.org'], more: { a: 1 } },
          },
          ...{ model: { provider: 'ollama', name: 'x' }, network: 'offline', approve: 'all' },
          timeoutSeconds: 9,
        },
      },
    });
  });

  it('prints progress and output, and exits like other runs', async () => {
    const done = await skills('run', 'code_review', '--param', 'code=1');
    const doubtful = await skills(
      'run',
      'code_review',
      '--param',
      'code=1',
      '--param',
      'strict=true',
    );

    expect(done.code).toBe(0);
    expect(done.stdout.split('\n')).toEqual([
      '◆ code_review Skill',
      '▣ code_review returned options, prompt',
      'All of code_review.',
      '',
    ]);
    expect(doubtful.code).toBe(4);
  });

  it('lists the parameters of the skill if they do not fit', async () => {
    const { stderr } = await skills('run', 'web_research', '--param', 'max_sources=many');

    expect(stderr).toBe(
      'hyperagent: The parameters do not fit web_research: topic: is missing; it is a string; max_sources: must be a number, not string. web_research takes topic (string): what about; max_sources (number, default 5): how many; kind (string, optional, one of news, paper): of source; only (array, optional): hosts; more (object, optional): as it is.\n',
    );
  });
});

describe('hyperagent skills validate', () => {
  function folder(name: string, text: string): string {
    mkdirSync(join(dir, name));
    writeFileSync(join(dir, name, 'SKILL.md'), text);
    return join(dir, name);
  }
  const validate = (...args: readonly string[]): Promise<CliResult> =>
    runCli(['skills', 'validate', ...args], { entry: ENTRY, cwd: dir });

  it('needs no data, and exits with 1 on errors', async () => {
    const good = folder(
      'greeting',
      '---\nname: greeting\ndescription: Greets people.\n---\nSay hi.\n',
    );
    const bad = folder('other', '---\nname: greeting\n---\nSay\u200b hi.\n');
    const [valid, asJson, invalid, gone] = await Promise.all([
      validate(good),
      validate(good, '--json'),
      validate(bad),
      validate(join(dir, 'gone')),
    ]);

    expect([valid.code, valid.stdout, valid.stderr]).toEqual([
      ...[0, 'The skill greeting is valid.\n', ''],
    ]);
    expect(JSON.parse(asJson.stdout)).toEqual({ name: 'greeting', valid: true, findings: [] });
    expect([invalid.code, invalid.stderr]).toEqual([1, '']);
    expect(invalid.stdout).toMatch(
      /^SKILL\.md:1: error: .*description.* \[description_missing\]$/m,
    );
    expect(invalid.stdout).toMatch(/^SKILL\.md:4: warning: .*U\+200B\. \[hidden_zero_width\]$/m);
    expect(invalid.stdout).toMatch(/\n.*other is not valid: 2 errors, 1 other finding\.\n$/);
    expect([gone.code, gone.stdout]).toEqual([1, '']);
    expect(existsSync(dataDir)).toBe(false);
  });
});
