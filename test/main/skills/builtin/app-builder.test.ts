import { describe, expect, it } from 'vitest';
import { skill } from '#main/skills/builtin/app-builder/skill.ts';
import type { JsonObject } from '#main/skills/types.ts';
import {
  type BuildHostOptions,
  type BuildRequest,
  openBuildHost,
} from '../../../fakes/apps/build-host.ts';
import { Killed, openSkillLives } from '../../../fakes/skill-lives.ts';

const POINTS = ['After pressing Add a cup, the page says 1 cup', 'The page names the tea'];
const PLAN = {
  name: 'Tea',
  template: 'static',
  files: [{ path: 'src/main.js', purpose: 'The counter.' }],
  points: POINTS,
};
const ADD = { action: 'click', name: 'Add a cup' };
const TESTS = {
  tests: [
    { point: 1, steps: [ADD, { action: 'expect', name: '1 cup' }] },
    { point: 2, steps: [{ action: 'expect', name: 'Tea' }] },
  ],
};
const MAIN = 'src/main.js';
const js = (code: string): string => `${MAIN}\n\`\`\`js\n${code}\n\`\`\``;

type Answers = Partial<Record<BuildRequest, unknown>>;

/** Says in each kind of request what is given, in order where it is a list, and the last for ever after. */
function saying(answers: Answers): BuildHostOptions['answer'] {
  const counts = new Map<BuildRequest, number>();
  const all: Answers = { plan: PLAN, file: js('good'), tests: TESTS, ...answers };
  return (kind) => {
    const said = all[kind];
    if (!Array.isArray(said)) return said;
    const count = counts.get(kind) ?? 0;
    counts.set(kind, count + 1);
    return said[Math.min(count, said.length - 1)];
  };
}

async function build(
  options: BuildHostOptions,
  params: JsonObject = { description: 'Count tea.' },
) {
  const opened = openBuildHost(options);
  const life = openSkillLives([skill]).life({ host: opened.host });
  const outcome = await life.execute('app_builder', params);
  const output = outcome.ok ? outcome.output : null;
  const error = outcome.ok ? null : outcome.error;
  const stages = life
    .emitted()
    .filter((stage) => stage.endsWith('completed') && stage.includes('.'))
    .map((stage) => /\.(\w+)/.exec(stage)?.[1]);
  const kinds = opened.asked.map((one) => one.split(' ')[0]);
  return { ...opened, output, error, stages, kinds };
}

/** Files that say how many problems they have, such as `bad 3`. */
const counted: NonNullable<BuildHostOptions['judge']> = (files) => {
  const count = Number(/bad (\d+)/.exec(files[MAIN] ?? '')?.[1] ?? 0);
  return {
    problems: Array.from({ length: count }, (_none, index) => ({
      ...{ kind: 'error', message: `Fault ${index + 1} is not a function` },
      place: { file: `tea/${MAIN}`, line: index + 1 },
    })),
  };
};

describe('an app that is built', () => {
  it('is planned, written from its template, started, checked and tested; nothing is asked twice', async () => {
    const { output, stages, kinds, calls, files } = await build({ answer: saying({}) });
    expect(stages).toEqual(['plan', 'scaffold', 'generate', 'start', 'check', 'test', 'finalize']);
    expect(kinds).toEqual(['plan', 'file', 'tests']);
    expect(files.get('tea/src/main.js')).toBe('good\n');
    expect(output).toMatchObject({
      ...{ folder: 'tea', template: 'static', repairs: 0, problems: [], notes: [] },
      preview_url: 'http://0123456789abcdef.localhost:4000/',
      files_created: ['tea/index.html', 'tea/package.json', 'tea/src/main.js', 'tea/src/style.css'],
      points: POINTS.map((point) => ({ point, shown: true })),
    });
    expect(calls.filter(({ name }) => name === 'app_start_server')).toEqual([
      { name: 'app_start_server', given: { folder: 'tea' } },
    ]);
    expect(calls.filter(({ name }) => name === 'app_check').map(({ given }) => given)).toEqual([
      {},
      { steps: [{ click: 'Add a cup' }, { expect: '1 cup' }] },
      { steps: [{ expect: 'Tea' }] },
    ]);
  });

  it('takes the template that is asked for, and a free folder', async () => {
    const { output, asked } = await build(
      { answer: saying({}), files: { 'tea/notes.md': 'Mine.' } },
      { description: 'Count tea.', template: 'vue' },
    );
    expect(output).toMatchObject({ folder: 'app-2', template: 'vue' });
    expect(asked[0]).toContain('The template is vue.');
  });

  it('has the main file of its template, whatever the plan names, and no file outside', async () => {
    const paths = ['../../etc/passwd', 'node_modules/x.js', 'package.json', '/workspace/tea/a.js'];
    const files = [...paths, 'docs'].map((path) => ({ path, purpose: 'x' }));
    const { calls } = await build({
      answer: (kind, turn) => {
        if (kind === 'plan') return { ...PLAN, files };
        if (kind === 'tests') return TESTS;
        return `\`\`\`js\n${/Write (\S+)\.$/.exec(turn)?.[1]}\n\`\`\``;
      },
    });
    const written = calls
      .filter(({ name }) => name === 'app_write_file')
      .map(({ given }) => given.path);
    expect(written).toEqual(['tea/a.js', 'tea/src/main.js']);
  });

  it('says in its request what the file is for, what is there, and nothing of the configuration', async () => {
    const { asked } = await build({ answer: saying({}) });
    expect(asked[1]).toMatch(
      /Count tea\.[\s\S]*- After pressing[\s\S]*- src\/main\.js: The counter\.[\s\S]*Packages: vite\./,
    );
    expect(asked[1]).toMatch(/<data-\w+>[\s\S]*src\/style\.css:[\s\S]*<\/data-\w+>/);
    expect(asked[1]).not.toContain('"scripts"');
    expect(asked[1]?.endsWith('Write src/main.js.')).toBe(true);
  });
});

describe('a file', () => {
  it('that is refused or missing is asked for once more, with the reason', async () => {
    const file = ['I will do that.', js('// rest unchanged'), js('good')];
    for (const answers of [
      [file[0], file[2]],
      [file[1], file[2]],
    ]) {
      const { files, asked, output } = await build({ answer: saying({ file: answers }) });
      expect(files.get('tea/src/main.js')).toBe('good\n');
      expect(asked[2]).toMatch(/There was no src\/main\.js|Line 1 stands for code/);
      expect(output?.notes).toEqual([]);
    }
  });

  it('that never comes is a failure that says what came instead', async () => {
    const { error, calls } = await build({ answer: saying({ file: 'I cannot do that.' }) });
    expect(error).toMatchObject({ code: 'SKILL_MODEL_ANSWER' });
    expect(error?.message).toContain('I cannot do that.');
    expect(calls.some(({ name }) => name === 'app_start_server')).toBe(false);
  });

  it('that comes along with another one is not asked for again', async () => {
    const files = ['src/main.js', 'src/list.js'].map((path) => ({ path, purpose: 'x' }));
    const both = `${js('good')}\n\nAnd src/list.js:\n\`\`\`js\nlist\n\`\`\``;
    const { kinds, files: all } = await build({
      answer: saying({ plan: { ...PLAN, files }, file: both }),
    });
    expect(kinds).toEqual(['plan', 'file', 'tests']);
    expect(all.get('tea/src/list.js')).toBe('list\n');
  });
});

describe('what a check finds', () => {
  it('goes back with its lines until it is gone', async () => {
    const { output, stages, asked } = await build({
      answer: saying({ file: js('bad 2'), repair: [js('bad 1'), js('good')] }),
      judge: counted,
    });
    expect(stages).toEqual([
      ...['plan', 'scaffold', 'generate', 'start', 'check', 'repair', 'check_2', 'repair_2'],
      ...['check_3', 'test', 'finalize'],
    ]);
    expect(output).toMatchObject({ repairs: 2, problems: [] });
    expect(asked[2]).toMatch(/<data-\w+>[\s\S]*Fault 1 is not a function/);
  });

  it('goes back three times at most; what is left is said', async () => {
    const repairs = ['bad 2 a', 'bad 2 b', 'bad 2 c', 'good'].map(js);
    const { output, kinds } = await build({
      answer: saying({ file: js('bad 2'), repair: repairs }),
      judge: counted,
    });
    expect(kinds.filter((kind) => kind === 'repair')).toHaveLength(3);
    expect(output).toMatchObject({
      points: [{ shown: true }, { shown: true }],
      problems: [{ kind: 'error', file: 'tea/src/main.js', line: 1 }, { line: 2 }],
    });
    expect(output?.summary).toContain('A check still finds 2 problems.');
  });

  it('made worse by a repair is taken back, and the model is told', async () => {
    const { output, files, asked } = await build({
      answer: saying({ file: js('bad 1'), repair: [js('bad 4'), js('bad 3'), js('bad 2')] }),
      judge: counted,
    });
    expect(files.get('tea/src/main.js')).toBe('bad 1\n');
    expect(output).toMatchObject({ problems: [{ message: 'Fault 1 is not a function' }] });
    const second = asked.filter((one) => one.startsWith('repair'))[1];
    expect(second).toContain('made it worse and was taken back');
    expect(second).toContain('bad 1');
  });

  it('is empty again where a repair that is taken back had added it', async () => {
    const bad = `${js('bad 3')}\n\nsrc/extra.js\n\`\`\`js\nextra\n\`\`\``;
    const { files } = await build({
      answer: saying({ file: js('bad 1'), repair: [bad, 'I do not know.'] }),
      judge: counted,
    });
    expect(files.get('tea/src/main.js')).toBe('bad 1\n');
    expect(files.get('tea/src/extra.js')).toBe('export {};\n');
  });

  it('never stands worse at the end than the best state that was seen, whatever the repairs do', async () => {
    let seed = 7;
    const draw = (most: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % most;
    };
    for (let round = 0; round < 20; round += 1) {
      const seen: number[] = [];
      const { files } = await build({
        answer: (kind) => {
          if (kind === 'plan') return PLAN;
          if (kind === 'tests') return TESTS;
          return js(`bad ${draw(6)} ${draw(3)}`);
        },
        judge: (all) => {
          const judged = counted(all);
          seen.push(judged.problems.length);
          return judged;
        },
      });
      const end = counted({ [MAIN]: files.get('tea/src/main.js') ?? '' }).problems.length;
      expect(end).toBe(Math.min(...seen));
    }
  });

  it('that stops the page counts for more than what only a page that is there can show', async () => {
    const { files } = await build({
      answer: saying({ file: js('broken'), repair: [js('bad 4'), 'No idea.'] }),
      judge: (all) =>
        all[MAIN] === 'broken\n'
          ? { problems: [{ kind: 'overlay', message: 'Unexpected token' }] }
          : counted(all),
    });
    expect(files.get('tea/src/main.js')).toBe('bad 4\n');
  });

  it('of a server that ended starts it again after the repair', async () => {
    const { calls } = await build({
      answer: saying({ file: js('broken'), repair: js('good') }),
      judge: (all) =>
        all[MAIN] === 'broken\n'
          ? { problems: [{ kind: 'server', message: 'It ended with 1.' }] }
          : { problems: [] },
    });
    const starts = calls.filter(({ name }) => name === 'app_start_server');
    expect(starts.map(({ given }) => given)).toEqual([
      { folder: 'tea' },
      { folder: 'tea', restart: true },
    ]);
  });

  it('cannot be told without a browser: nothing is shown, and the reason stands in the notes', async () => {
    const { output, kinds } = await build({
      answer: saying({}),
      instead: (name) =>
        name === 'app_check'
          ? { ok: false, status: 'error', content: 'There is no browser here.', data: null }
          : undefined,
    });
    expect(kinds).toEqual(['plan', 'file']);
    expect(output).toMatchObject({
      notes: ['The app was not checked. There is no browser here.'],
      points: [
        { shown: false, evidence: 'The app was not checked.' },
        { shown: false, evidence: 'The app was not checked.' },
      ],
    });
  });
});

describe('what the app must do', () => {
  it('is not shown by a test that fails twice; the app is changed for it, and that is taken back', async () => {
    const { output, kinds, files } = await build({
      answer: saying({ repair: js('other') }),
      passes: (all, steps) => steps.length !== 2 || all[MAIN] === 'never\n',
      judge: (all) =>
        all[MAIN] === 'other\n'
          ? { problems: [{ kind: 'error', message: 'x' }] }
          : { problems: [] },
    });
    expect(kinds.slice(0, 5)).toEqual(['plan', 'file', 'tests', 'tests', 'repair']);
    expect(files.get('tea/src/main.js')).toBe('good\n');
    expect(output).toMatchObject({
      points: [
        { shown: false, evidence: expect.stringContaining('The page does not show it.') },
        { shown: true },
      ],
      problems: [],
    });
    expect(output?.summary).toContain('Tests showed 1 of the 2 things');
    expect(output?.summary).toContain(`Not shown: ${POINTS[0]}.`);
  });

  it('is shown once the app was repaired for it, and what was shown before is shown again', async () => {
    const { output, calls } = await build({
      answer: saying({ repair: js('better') }),
      passes: (all, steps) => steps.length !== 2 || all[MAIN] === 'better\n',
    });
    expect(output).toMatchObject({ repairs: 1, points: [{ shown: true }, { shown: true }] });
    const last = calls.filter(({ name }) => name === 'app_check').slice(-2);
    expect(last.map(({ given }) => (given.steps as unknown[]).length)).toEqual([2, 1]);
  });

  it.each([
    ['no test', { tests: [] }, 'It has no test.'],
    ['a test without a look', [ADD], 'Its test ends without a look.'],
    [
      'a look for what the page shows anyway',
      [ADD, { action: 'expect', name: 'no  CUPS yet' }],
      'Its test looks for "no  CUPS yet", which the page shows before anything is done.',
    ],
    [
      'a look for something gone that was never there',
      [ADD, { action: 'gone', name: '1 cup' }],
      'Its test looks whether "1 cup" is gone, and never saw it.',
    ],
    [
      'a look for something gone without doing anything',
      [{ action: 'gone', name: 'No cups' }],
      'Its test looks whether "No cups" is gone, and never saw it.',
    ],
  ])('is not shown by %s', async (_name, drafted, evidence) => {
    const tests = Array.isArray(drafted)
      ? { tests: [{ point: 1, steps: drafted }, TESTS.tests[1]] }
      : drafted;
    const { output } = await build({ answer: saying({ tests, repair: 'I would not know.' }) });
    expect(output?.points).toMatchObject([{ shown: false, evidence }, {}]);
  });

  it('keeps the app where the model gives no tests', async () => {
    const { output } = await build({ answer: saying({ tests: 'None.', repair: '-' }) });
    expect(output).toMatchObject({
      folder: 'tea',
      points: [{ shown: false, evidence: 'It has no test.' }, { shown: false }],
    });
  });
});

describe('an app that is there', () => {
  const there = {
    app: { folder: 'tea', template: 'static' },
    files: {
      'tea/src/main.js': 'old\n',
      'tea/src/list.js': 'list\n',
      'tea/package.json': '{"dependencies":{"left":"1"}}',
      'tea/node_modules/left/index.js': 'left\n',
    },
  };
  const CHANGE = { files: [{ path: 'main.js', purpose: 'A new button.' }], points: [POINTS[0]] };

  it('is changed where it is: only the planned files are written', async () => {
    const { asked, kinds, files, output } = await build({
      ...there,
      answer: saying({ change: CHANGE }),
    });
    expect(kinds).toEqual(['change', 'file', 'tests']);
    expect(asked[0]).toContain('src/main.js:\n```\nold\n```');
    expect(asked[0]).not.toContain('node_modules');
    expect(files.get('tea/src/main.js')).toBe('good\n');
    expect(files.get('tea/src/list.js')).toBe('list\n');
    expect(output).toMatchObject({ folder: 'tea', files_created: ['tea/src/main.js'] });
  });

  it('stays where another app is asked for', async () => {
    const { output, files } = await build({
      ...there,
      answer: saying({ change: { ...CHANGE, is_new_app: true } }),
    });
    expect(output).toMatchObject({ folder: 'app-2' });
    expect(files.get('tea/src/main.js')).toBe('old\n');
  });
});

describe('an app builder', () => {
  it('ends where the user does not allow a call', async () => {
    const { error, kinds } = await build({
      answer: saying({}),
      instead: (name) =>
        name === 'app_start_server'
          ? { ok: false, status: 'denied', content: 'The user did not allow it.', data: null }
          : undefined,
    });
    expect(error).toMatchObject({ code: 'TOOL_DENIED' });
    expect(kinds).toEqual(['plan', 'file']);
  });

  it('keeps within a window of 4k, whatever the files hold', async () => {
    const files = Array.from({ length: 8 }, (_none, at) => ({
      path: `src/f${at}.js`,
      purpose: 'x',
    }));
    const long = 'const value = 1; // One of many.\n'.repeat(120);
    const { model, output } = await build({
      answer: saying({ plan: { ...PLAN, files }, file: `\`\`\`js\n${long}\n\`\`\`` }),
      contextWindow: 4_096,
    });
    expect(output).toMatchObject({ notes: [] });
    expect(model.largest).toBeGreaterThan(1_500);
    expect(model.largest).toBeLessThanOrEqual(4_096);
  });

  it('goes on after a kill at every write to the same result, and asks for nothing that was stored', async () => {
    const options = () => ({
      answer: saying({ file: js('bad 1'), repair: js('good') }),
      judge: counted,
    });
    const params = { description: 'Count tea.' };
    const whole = openBuildHost(options());
    const first = openSkillLives([skill]).life({ host: whole.host });
    const result = await first.execute('app_builder', params);
    expect(result).toMatchObject({ ok: true, output: { repairs: 1, problems: [] } });
    const writes = first.writes();
    expect(writes).toBeGreaterThan(30);
    for (let killAt = 1; killAt <= writes; killAt += 1) {
      const { host, asked, files } = openBuildHost(options());
      const lives = openSkillLives([skill]);
      const dying = lives.life({ host, killAt });
      await expect(dying.execute('app_builder', params)).rejects.toBeInstanceOf(Killed);
      const before = asked.length;
      const unsettled = lives.unsettled(['once']);
      const next = await lives.life({ host }).execute('app_builder', params);
      expect([killAt, next]).toEqual([killAt, result]);
      const repeated = asked.slice(before).filter((one) => asked.slice(0, before).includes(one));
      expect(repeated.length).toBeLessThanOrEqual(unsettled);
      expect([...files]).toEqual([...whole.files]);
    }
  });
});
