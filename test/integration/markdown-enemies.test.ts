import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sha256 } from '#main/base/canonical-json.ts';
import type { PlayedRun } from '../fakes/app-bench.ts';
import { approveSkill, putFiles, REVIEWED_TEA, TEA } from '../fakes/markdown-skill.ts';
import { ask, complete, listFiles, load, read, type Walk } from '../fakes/stepping-model.ts';
import { ANSWER, openTea, results, stepsOf, TURN, walk } from '../fakes/tea-bench.ts';

/** Models that look for a way round a skill, over the real app and HTTP. */

const codes = (played: PlayedRun) => results(played).map(([, code]) => code);
const shell = (command: string) => ({ name: 'shell_command', arguments: { command } });
const later = (when: string, ...rounds: Walk['rounds'][number][]): Walk => ({
  ...{ when, rounds, answer: ANSWER },
});
const skill = (name: string, more: string, body: string) => ({
  'SKILL.md': `---\nname: ${name}\ndescription: Does it.\n${more}---\n${body}\n`,
});

describe('several calls in one answer', () => {
  it('do not complete what is only now read, begun or asked', async () => {
    const { turn } = await openTea([
      walk(
        [load(), complete(1)],
        [ask('tea_params'), complete(1)],
        [complete(1)],
        [read('subskill/plan.md'), complete(2)],
        [complete(2)],
      ),
    ]);
    const played = await turn(TURN);
    const skipped = 'SKILL_STEP_SKIPPED';
    expect(codes(played)).toEqual(['ok', skipped, 'ok', skipped, 'ok', 'ok', skipped, 'ok']);
    expect(played.of('tool_result')[3]?.content).toContain('have not read their results yet');
  });

  it('do not complete two steps', async () => {
    const files = skill('tea-maker', '', '## Steps\n1. **Boil.**\n2. **Pour.**\n3. **Drink.**');
    const { turn } = await openTea(
      [walk([load()], [complete(1), complete(2), complete(3)])],
      files,
    );
    const played = await turn(TURN);
    expect(codes(played)).toEqual(['ok', 'ok', 'SKILL_STEP_SKIPPED', 'SKILL_STEP_SKIPPED']);
    expect(stepsOf(played)).toEqual(['done', 'pending', 'pending']);
  });

  it('do nothing that was written before the person answered, and ask nobody about it', async () => {
    const files = {
      ...TEA,
      'SKILL.md': (TEA['SKILL.md'] ?? '').replace('Read Write', 'Bash Read'),
    };
    const { bench, turn } = await openTea(
      [walk([load()], [ask('tea_params'), shell('touch made'), listFiles], [listFiles])],
      files,
    );
    const played = await turn(TURN, { approve: 'ask' });
    expect(codes(played).slice(0, 5)).toEqual(['ok', 'ok', 'TOOL_DENIED', 'TOOL_DENIED', 'ok']);
    expect(played.of('tool_result')[2]?.content).toContain('Read their reply');
    expect(played.of('interrupt').map(({ title }) => title)).toEqual(['tea_params']);
    expect(await bench.file(played.run.threadId, 'made')).toBeNull();
  });
});

describe('brackets of allowed-tools', () => {
  const only = (tools: string) => ({
    ...REVIEWED_TEA,
    'SKILL.md': (REVIEWED_TEA['SKILL.md'] ?? '').replace('Read Write', tools),
  });

  it('hold a shell to its commands, by itself and from a script', async () => {
    const calls = [
      ...[shell('echo hi'), shell('echo \'a; b\' "c d"'), shell('echo hi; touch made')],
      ...[shell('echo $(touch made)'), shell('touch made'), shell('printf a')],
      { name: 'execute_code', arguments: { language: 'bash', code: 'echo hi' } },
      {
        name: 'execute_script',
        arguments: {
          script:
            'import hyperagent\nprint(hyperagent.run_command("echo in"))\ntry:\n  hyperagent.run_command("touch made")\nexcept Exception as error:\n  print("held", error)',
        },
      },
    ];
    const { bench, turn } = await openTea(
      [walk([load()], calls)],
      only('Bash(echo:*), Bash(printf b) execute_script'),
    );
    const played = await turn(TURN, { executionMode: 'codeact' });
    const held = 'TOOL_DENIED';
    expect(results(played).slice(0, 11)).toEqual([
      ['load_skill', 'ok'],
      ...['ok', 'ok', held, held, held, held].map((code) => ['shell_command', code]),
      ['execute_code', held],
      ['shell_command', 'ok'],
      ['shell_command', held],
      ['execute_script', 'ok'],
    ]);
    expect(played.of('tool_result')[3]?.content).toContain(
      'allows shell_command(echo:*), shell_command(printf b), execute_script; this shell_command is not.',
    );
    expect(await bench.file(played.run.threadId, 'made')).toBeNull();
  });

  it('hold a call that the person changed', async () => {
    const { bench, turn } = await openTea(
      [walk([load()], [shell('echo hi')])],
      only('Bash(echo:*)'),
    );
    const edited = '{"command":"touch made"}';
    const played = await turn(
      TURN,
      { approve: 'ask' },
      {
        'Run this command?': {
          ...{ action: 'approve', always: false, edited, argumentsSha256: sha256(edited) },
        },
      },
    );
    expect(codes(played).slice(0, 2)).toEqual(['ok', 'TOOL_DENIED']);
    expect(played.of('interrupt_response')).toHaveLength(1);
    expect(await bench.file(played.run.threadId, 'made')).toBeNull();
  });

  it('hold files to their operations and folders', async () => {
    const file = (operation: string, at: string, more = {}) => ({
      name: 'sandbox_file',
      arguments: { operation, path: at, ...more },
    });
    const calls = [
      ...[file('write', 'docs/a.md', { content: 'x' }), file('write', 'b.md', { content: 'x' })],
      ...[file('write', 'docs/../b.md', { content: 'x' }), file('read', 'docs/a.md')],
      ...[file('delete', 'docs/a.md'), file('move', 'docs/a.md', { destination: 'docs/c.md' })],
      file('list', '.'),
    ];
    const { bench, turn } = await openTea(
      [walk([load()], ...calls.map((call) => [call]))],
      only('Write(./docs/**) Read'),
    );
    const played = await turn(TURN);
    const held = 'TOOL_DENIED';
    expect(codes(played)).toEqual(['ok', 'ok', held, held, 'ok', held, held, 'ok']);
    expect(await bench.file(played.run.threadId, 'docs/a.md')).toBe('x');
  });
});

describe('two skills', () => {
  it('do not free each other: what an earlier one is told off for does not put it in force', async () => {
    const { bench, turn } = await openTea([
      walk([load('free')]),
      later(
        'Then',
        [load()],
        [complete(1, 'free')],
        [read('SKILL.md', 'free')],
        [shell('touch made')],
      ),
    ]);
    putFiles(path.join(bench.dataDir, 'skills', 'free'), skill('free', '', 'Do as you like.'));
    await approveSkill(bench.app, 'free');
    // It narrows nothing, and so may do anything.
    expect((await bench.app.api['skills.get']({ skillId: 'free' })).skill.summary.risk).toBe(
      'high',
    );
    const first = await turn(TURN);
    const second = await turn('Then', { threadId: first.run.threadId });
    expect(codes(second).slice(0, 4)).toEqual([
      'ok',
      'SKILL_STEP_SKIPPED',
      'SKILL_STEP_SKIPPED',
      'TOOL_DENIED',
    ]);
    expect(await bench.file(first.run.threadId, 'made')).toBeNull();
    expect(second.of('skill_walk').every(({ walk: { skill: name } }) => name === 'tea-maker')).toBe(
      true,
    );
  });

  it('narrow together in a turn, and the first lets go with it', async () => {
    const { bench, turn } = await openTea(
      [
        walk(
          [load()],
          [load('free')],
          [shell('touch made')],
          [ask('leave_skill')],
          [shell('true')],
        ),
        later('Then', [load()], [load('free')]),
        later('Next', [shell('touch made')]),
      ],
      skill('tea-maker', 'allowed-tools: Read\n', 'Read it.'),
    );
    putFiles(path.join(bench.dataDir, 'skills', 'free'), skill('free', '', 'Do as you like.'));
    await approveSkill(bench.app, 'free');
    const first = await turn(TURN);
    expect(codes(first)).toEqual(['ok', 'ok', 'TOOL_DENIED', 'ok', 'ok']);
    expect(await bench.file(first.run.threadId, 'made')).toBeNull();
    const { threadId } = first.run;
    expect(codes(await turn('Then', { threadId }))).toEqual(['ok', 'ok']);
    expect(codes(await turn('Next', { threadId }))).toEqual(['ok']);
  });
});

describe('a step that waits', () => {
  const FILES = skill('tea-maker', '', '## Steps\n1. **Ask.** (waits)\n2. **Ask more.** (waits)');
  const question = { name: 'ask_user', arguments: { question: 'How sweet?' } };

  it('is not complete before the person said something: in the turn, or in the next', async () => {
    const { turn } = await openTea(
      [
        walk([load()], [complete(1)], [question, complete(1)], [complete(1)], [complete(2)]),
        later('Sweeter', [complete(2)]),
      ],
      FILES,
    );
    const first = await turn(TURN, {}, { 'A question': { action: 'input', text: 'Very.' } });
    const skipped = 'SKILL_STEP_SKIPPED';
    expect(codes(first)).toEqual(['ok', skipped, 'ok', skipped, 'ok', skipped]);
    expect(first.of('tool_result')[1]?.content).toContain('an answer from the user');
    const second = await turn('Sweeter', { threadId: first.run.threadId });
    expect([codes(second), stepsOf(second)]).toEqual([['ok'], ['done', 'done']]);
  });

  it('takes a question that was skipped for no answer', async () => {
    const { turn } = await openTea([walk([load()], [question], [complete(1)])], FILES);
    const first = await turn(TURN, {}, { 'A question': { action: 'skip' } });
    expect(codes(first)).toEqual(['ok', 'ok', 'SKILL_STEP_SKIPPED']);
  });
});

describe('a skill that goes away in the middle', () => {
  it('switched off: it is not walked on, holds the turn, and no later one', async () => {
    const files = skill(
      'tea-maker',
      'allowed-tools: Read\n',
      '## Steps\n1. **Boil.**\n2. **Pour.**',
    );
    const { bench, turn } = await openTea(
      [walk([load()]), later('Off', [complete(1)], [load()], [shell('true')])],
      files,
    );
    const first = await turn(TURN);
    const { threadId } = first.run;
    bench.app.api['skills.setEnabled']({ skillId: 'tea-maker', enabled: false });
    const off = await turn('Off', { threadId });
    expect(codes(off)).toEqual(['SKILL_DISABLED', 'SKILL_DISABLED', 'ok']);
    expect(off.run.status).toBe('completed');
  });

  it('changed or removed: no step is completed with other files', async () => {
    const files = skill('tea-maker', '', '## Steps\n1. **Boil.**\n2. **Pour.**');
    const { turn, folder } = await openTea(
      [
        walk([load()]),
        later('Changed', [complete(1)]),
        later('Gone', [complete(1)], [shell('true')]),
      ],
      files,
    );
    const first = await turn(TURN);
    const { threadId } = first.run;
    writeFileSync(path.join(folder, 'SKILL.md'), `${files['SKILL.md']}\nMore.\n`);
    expect(codes(await turn('Changed', { threadId }))).toEqual(['SKILL_NEEDS_REVIEW']);
    rmSync(folder, { recursive: true });
    expect(codes(await turn('Gone', { threadId }))).toEqual(['SKILL_UNKNOWN', 'ok']);
  });
});

describe('copies of a task', () => {
  it('are where their log says: a fork in the middle, an edit of a later turn', async () => {
    const { bench, turn, rest } = await openTea([
      walk([load()], [ask('tea_params')], [complete(1)], [read('subskill/plan.md')]),
      later('Go on', [complete(2)], [shell('touch made')]),
      later('Otherwise', [complete(2)], [shell('touch made')]),
    ]);
    const { api } = bench.app;
    const first = await turn(TURN);
    const second = await turn('Go on', { threadId: first.run.threadId });
    expect(codes(second)).toEqual(['ok', 'TOOL_DENIED']);
    const after = first.of('tool_result')[1]?.seq ?? 0;
    const forked = await api['runs.fork']({ runId: first.run.id, seq: after });
    api['runs.resume']({ runId: forked.run.id });
    const fork = await rest(forked.run.id);
    // The same answers came again: nothing of the first step is asked anew, and it holds as before.
    expect(fork.of('skill_walk').at(-1)?.walk).toMatchObject({
      skill: 'tea-maker',
      status: 'active',
    });
    expect(stepsOf(fork)?.[0]).toBe('done');
    const edited = await api['runs.edit']({ runId: second.run.id, prompt: 'Otherwise' });
    expect(codes(await rest(edited.run.id))).toEqual(['ok', 'TOOL_DENIED']);
  });
});
