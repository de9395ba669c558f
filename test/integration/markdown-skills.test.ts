import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openAppBench } from '../fakes/app-bench.ts';
import { approveSkill, putFiles, REVIEWED_TEA, TEA } from '../fakes/markdown-skill.ts';
import {
  ask,
  complete,
  listFiles,
  load,
  placeIn,
  read,
  steppingModel,
} from '../fakes/stepping-model.ts';
import {
  ANSWER,
  openTea,
  refusals,
  results,
  stepsOf,
  TURN,
  verdicts,
  WHOLE,
  walk,
} from '../fakes/tea-bench.ts';

/** Models that do not follow a skill as it is written, over the real app and HTTP: they are held each time. */

describe('a model that follows the skill', () => {
  it('comes to its end, and is told its place at the end of every request', async () => {
    const { bench, turn } = await openTea([walk(...WHOLE)]);
    const played = await turn(TURN);
    expect(results(played)).toEqual(WHOLE.flat().map(({ name }) => [name, 'ok']));
    expect([played.run.status, played.answer, verdicts(played)]).toEqual(['completed', ANSWER, []]);
    expect(played.of('skill_walk').at(-1)?.walk).toMatchObject({
      ...{ skill: 'tea-maker', status: 'completed', refusals: [] },
      steps: [
        { status: 'done', answered: ['tea_params'] },
        { status: 'done', read: ['subskill/plan.md'] },
        // Left out, as it may be.
        { status: 'pending', read: [] },
        { status: 'done', read: ['subskill/report.md'], answered: ['what_next'] },
      ],
    });
    const places = bench.requests.map((request) => placeIn(request)?.match(/Now: step \d/)?.[0]);
    expect(places).toEqual([
      ...[undefined, 'Now: step 1', 'Now: step 1', 'Now: step 2', 'Now: step 2', 'Now: step 3'],
      ...['Now: step 3', 'Now: step 3', undefined],
    ]);
    // It stands at the end only: what went before is the same in the next request, byte for byte.
    const said = bench.requests.map(({ messages }) =>
      messages.filter(({ content = '' }) => !content.startsWith('[State of the skill')),
    );
    for (const [i, messages] of said.slice(1).entries()) {
      expect(messages.slice(0, said[i]?.length)).toEqual(said[i]);
    }
  });
});

describe('a model that does not is held', () => {
  it('one that skips a subskill', async () => {
    const { turn } = await openTea([
      walk(
        [load()],
        [ask('tea_params')],
        [complete(1)],
        [read('subskill/report.md')],
        [complete(4)],
      ),
    ]);
    const played = await turn(TURN);
    expect(results(played).slice(3, 5)).toEqual([
      ['read_file', 'SKILL_STEP_SKIPPED'],
      ['complete_skill_step', 'SKILL_STEP_SKIPPED'],
    ]);
    expect(played.of('tool_result')[3]?.content).toContain('step 2 (Plan it) comes first');
    expect(played.of('tool_result')[3]?.content).not.toContain('REPORT');
    expect(refusals(played).map(({ what }) => what)).toEqual([
      'read_file subskill/report.md',
      'complete_skill_step 4',
    ]);
    expect(verdicts(played)).toEqual(['unverified', 'unverified']);
    expect(played.run.status).toBe('unverified');
    expect(played.answer).toContain('Steps that were not done: 2 (Plan it), 4 (Pour and report)');
  });

  it('one that skips a checkpoint, and one that asks ahead', async () => {
    const { turn } = await openTea([walk([load()], [complete(1)], [ask('what_next')])]);
    const played = await turn(TURN);
    expect(results(played)).toEqual([
      ['load_skill', 'ok'],
      ['complete_skill_step', 'SKILL_STEP_SKIPPED'],
      ['request_human_approval', 'SKILL_STEP_SKIPPED'],
    ]);
    // Nothing was put to the person.
    expect(played.of('interrupt')).toEqual([]);
    expect(stepsOf(played)).toEqual(['pending', 'pending', 'pending', 'pending']);
  });

  it('one that invents what a file says', async () => {
    const { turn } = await openTea([
      walk([load()], [ask('tea_params')], [complete(1)], [complete(2)], [complete(4)]),
    ]);
    const played = await turn(TURN);
    expect(results(played).slice(3)).toEqual([
      ['complete_skill_step', 'SKILL_STEP_SKIPPED'],
      ['complete_skill_step', 'SKILL_STEP_SKIPPED'],
    ]);
    expect(played.of('tool_result')[3]?.content).toContain('Missing: read_file subskill/plan.md');
    expect([stepsOf(played)?.[1], played.run.status]).toEqual(['pending', 'unverified']);
  });

  it('one that goes on after "cancelled": nothing more is done in that turn', async () => {
    const { turn } = await openTea([
      walk([load()], [ask('tea_params')], [listFiles], [load()], [complete(1), ask('tea_params')]),
      { when: 'Again', rounds: [[load()], [ask('tea_params')]], answer: 'Waiting.' },
    ]);
    const played = await turn(TURN, {}, { tea_params: { action: 'deny', reason: 'No tea.' } });
    expect(results(played)).toEqual([
      ['load_skill', 'ok'],
      ['request_human_approval', 'ok'],
      ['sandbox_file', 'TOOL_DENIED'],
    ]);
    expect(played.of('interrupt')).toHaveLength(1);
    expect(played.of('skill_walk').at(-1)?.walk.status).toBe('cancelled');
    // It was told, and did not end: the app ends it at its next call.
    expect([played.run.status, played.answer]).toEqual([
      'completed',
      'You stopped this at a checkpoint. No more calls were made after that.',
    ]);
    const later = await turn('Again', { threadId: played.run.threadId });
    expect(results(later)).toEqual([
      ['load_skill', 'ok'],
      ['request_human_approval', 'ok'],
    ]);
  });

  it('one that uses a tool that the skill does not allow, itself or through a script', async () => {
    const shell = { name: 'shell_command', arguments: { command: 'touch made' } };
    const script = {
      name: 'execute_script',
      arguments: {
        script: 'import hyperagent\nhyperagent.run_command("touch made")',
      },
    };
    const { bench, turn } = await openTea([walk([load()], [shell, listFiles], [script])]);
    const played = await turn(TURN, { approve: 'ask', executionMode: 'codeact' });
    expect(results(played)).toEqual([
      ['load_skill', 'ok'],
      ['shell_command', 'TOOL_DENIED'],
      ['sandbox_file', 'ok'],
      ['execute_script', 'TOOL_DENIED'],
    ]);
    // Nobody was asked about what would not be done.
    expect(played.of('interrupt')).toEqual([]);
    expect(await bench.file(played.run.threadId, 'made')).toBeNull();
    expect(refusals(played).map(({ what }) => what)).toEqual(['shell_command', 'execute_script']);
  });

  it('a call within a script is held like any other', async () => {
    const script = {
      name: 'execute_script',
      arguments: {
        script:
          'import hyperagent\ntry:\n  hyperagent.run_command("touch made")\nexcept Exception as error:\n  print("held", error)',
      },
    };
    const files = {
      ...REVIEWED_TEA,
      'SKILL.md': REVIEWED_TEA['SKILL.md']?.replace('Read Write', 'execute_script') ?? '',
    };
    const { bench, turn } = await openTea([walk([load()], [script])], files);
    const played = await turn(TURN, { executionMode: 'codeact' });
    const nested = played.of('tool_result').find(({ name }) => name === 'shell_command');
    expect(nested?.errorCode).toBe('TOOL_DENIED');
    expect(await bench.file(played.run.threadId, 'made')).toBeNull();
  });

  it('one that ends early is told once, and the answer says what was not done', async () => {
    const { bench, turn } = await openTea([walk([load()])]);
    const played = await turn(TURN);
    expect(verdicts(played)).toEqual(['unverified', 'unverified']);
    const told = bench.requests.at(-1)?.messages.filter(({ role }) => role === 'user') ?? [];
    expect(told.some(({ content = '' }) => content.includes('was followed to its end: no.'))).toBe(
      true,
    );
    expect(played.answer).toContain('Not verified');
  });

  it('one that ends early and then does it is done', async () => {
    const { turn } = await openTea([
      walk([load()]),
      { when: 'makes claims that are not true', rounds: WHOLE.slice(1), answer: 'Now it is.' },
    ]);
    const played = await turn(TURN);
    expect(verdicts(played)).toEqual(['unverified', 'verified']);
    expect([played.run.status, played.answer]).toEqual(['completed', 'Now it is.']);
  });

  it('one that flees into another skill, until the person lets it go', async () => {
    const other = { 'SKILL.md': '---\nname: other\ndescription: Other work.\n---\nDo it.\n' };
    const { bench, turn } = await openTea([
      walk([load()], [load('other')], [ask('leave_skill')], [load('other')]),
      { when: 'Stay', rounds: [[load()], [ask('leave_skill')], [load('other')]], answer: ANSWER },
    ]);
    putFiles(path.join(bench.dataDir, 'skills', 'other'), other);
    await approveSkill(bench.app, 'other');
    const played = await turn(TURN);
    expect(results(played).map(([, status]) => status)).toEqual([
      ...['ok', 'SKILL_STEP_SKIPPED', 'ok', 'ok'],
    ]);
    expect(played.run.status).toBe('completed');
    const stays = await turn('Stay', {}, { leave_skill: { action: 'deny', reason: '' } });
    expect(results(stays).map(([, status]) => status)).toEqual(['ok', 'ok', 'SKILL_STEP_SKIPPED']);
  });
});

describe('the place in a skill', () => {
  it('is kept over turns of the task, and no other task has it', async () => {
    const { turn } = await openTea([
      walk([load()], [ask('tea_params')], [complete(1)]),
      { when: 'Go on', rounds: [[read('subskill/plan.md')], [complete(2)]], answer: 'Further.' },
      { when: 'Elsewhere', rounds: [[read('subskill/plan.md', 'tea-maker')]], answer: 'No.' },
    ]);
    const first = await turn(TURN);
    const second = await turn('Go on', { threadId: first.run.threadId });
    expect(results(second).map(([, status]) => status)).toEqual(['ok', 'ok']);
    expect(stepsOf(second)).toEqual(['done', 'done', 'pending', 'pending']);
    const elsewhere = await turn('Elsewhere');
    expect(results(elsewhere)).toEqual([['read_file', 'SKILL_STEP_SKIPPED']]);
  });

  it('may wait for the next message where the step says so', async () => {
    const files = {
      'SKILL.md': `---\nname: tea-maker\ndescription: Asks.\n---\n## Steps\n1. **Ask.** (waits)\n2. **Thank.**\n`,
    };
    const { turn } = await openTea(
      [
        walk([load()]),
        { when: 'Green', rounds: [[complete(1)], [complete(2)]], answer: 'Thanks.' },
      ],
      files,
    );
    const first = await turn(TURN);
    expect([first.run.status, verdicts(first)]).toEqual(['completed', []]);
    const second = await turn('Green', { threadId: first.run.threadId });
    expect([second.run.status, second.of('skill_walk').at(-1)?.walk.status]).toEqual([
      ...['completed', 'completed'],
    ]);
  });
});

describe('files that change', () => {
  it('are not given: neither the skill nor a part of it, until somebody looked', async () => {
    const { bench, turn, folder } = await openTea([
      walk([load()], [ask('tea_params')], [complete(1)], [read('subskill/plan.md')]),
      { when: 'Afterwards', rounds: [[read('subskill/plan.md')], [load()]], answer: 'No.' },
    ]);
    const first = await turn(TURN);
    writeFileSync(path.join(folder, 'subskill/plan.md'), 'PLAN: ten kilograms.\n');
    const later = await turn('Afterwards', { threadId: first.run.threadId });
    expect(results(later).map(([, status]) => status)).toEqual([
      ...['SKILL_NEEDS_REVIEW', 'SKILL_NEEDS_REVIEW'],
    ]);
    const { api } = bench.app;
    const review = (await api['skills.review']({ skillId: 'tea-maker' })).review;
    expect(review.files).toEqual([
      {
        ...{ path: 'subskill/plan.md', isBinary: false },
        ...{ before: TEA['subskill/plan.md'], after: 'PLAN: ten kilograms.\n' },
      },
    ]);
    expect((await api['skills.get']({ skillId: 'tea-maker' })).skill.summary.state).toBe(
      'needs_review',
    );
  });
});

describe('scripts of a skill', () => {
  it('come into the workspace, where they run in the sandbox; what is read step by step does not', async () => {
    const files = { ...TEA, 'scripts/brew.py': 'print(1)\n', 'data/cups.csv': 'a\n1\n' };
    const { bench, turn } = await openTea([walk([load()])], files);
    const { run, of } = await turn(TURN);
    const at = '.hyperagent/skills/tea-maker';
    expect(await bench.file(run.threadId, `${at}/scripts/brew.py`)).toBe('print(1)\n');
    expect(await bench.file(run.threadId, `${at}/data/cups.csv`)).toBe('a\n1\n');
    expect(await bench.file(run.threadId, `${at}/subskill/plan.md`)).toBeNull();
    expect(of('tool_result')[0]?.content).toContain(`/workspace/${at}/ (scripts/brew.py)`);
    expect(of('terminal_command')).toEqual([]);
  });
});

it.each([
  [
    'exam-tutor',
    ['Agree on the exam', 'Plan the questions', 'Hold the exam', 'Say how it went'],
    ['Decide how to go on'],
  ],
  [
    'memory-comprehension-coach',
    ['Agree on the goal', 'Find out what is there', 'Work on the gaps', 'Plan the reviews'],
    ['Close'],
  ],
  [
    'study-guide-creator',
    [
      'Agree on the guide',
      'Map the subject',
      'Let the user look at the outline',
      'Write the guide',
    ],
    ['Make the practice', 'Check it', 'Hand it over'],
  ],
])('%s comes with the app, ready', async (skillId, titles, more) => {
  const bench = await openAppBench(
    steppingModel([{ when: TURN, rounds: [[load(skillId)]], answer: ANSWER }]),
  );
  mkdirSync(path.join(bench.dataDir, 'skills'), { recursive: true });
  const { summary, findings } = (await bench.app.api['skills.get']({ skillId })).skill;
  expect([summary.state, summary.category, summary.isShipped, findings]).toEqual([
    ...['ready', 'research', true, []],
  ]);
  const played = await bench.play(TURN);
  const text = readFileSync(`resources/skills/${skillId}/SKILL.md`, 'utf8');
  const [, , body = ''] = text.split(/^---$/m);
  expect(played.of('tool_result')[0]?.content).toContain(body.trim());
  expect(played.of('skill_walk')[0]?.walk.steps.map(({ title }) => title)).toEqual([
    ...[...titles, ...more],
  ]);
});

it('the exam tutor ends in the skill that the user chose', async () => {
  const tutor = 'exam-tutor';
  const coach = '→ memory-comprehension-coach (consolidate weak areas)';
  const options = [coach, '→ study-guide-creator (full restudy)', 'Stop here'];
  const route = {
    name: 'request_human_approval',
    arguments: { checkpoint: 'post_exam_routing', summary: 'You scored 75 %.', options },
  };
  const question = { name: 'ask_user', arguments: { question: 'What is BFS?' } };
  const file = (name: string) => read(`subskill/${name}.md`, tutor);
  const { turn } = await openTea([
    walk(
      ...[[load(tutor)], [ask('exam_params')], [complete(1, tutor)]],
      ...[[file('question-generation')], [complete(2, tutor)]],
      ...[[file('adaptive-difficulty')], [question], [complete(3, tutor)]],
      ...[[file('performance-analytics')], [complete(4, tutor)]],
      ...[[route], [complete(5, tutor)], [load('memory-comprehension-coach')]],
    ),
  ]);
  const played = await turn(
    TURN,
    {},
    {
      'A question': { action: 'input', text: 'Level by level.' },
      post_exam_routing: { action: 'select', value: coach },
    },
  );
  expect(results(played).filter(([, status]) => status !== 'ok')).toEqual([]);
  const chosen = played.of('tool_result').find(({ content }) => content.includes('"choice":'));
  expect(JSON.parse(chosen?.content ?? '')).toEqual({
    ...{ approved: true, status: 'approved', choice: coach },
  });
  expect(played.of('skill_walk').at(-1)?.walk).toMatchObject({
    ...{ skill: 'memory-comprehension-coach', status: 'active' },
  });
});
