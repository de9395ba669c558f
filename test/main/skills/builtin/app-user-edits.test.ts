import { expect, it } from 'vitest';
import { skill } from '#main/skills/builtin/app-builder/skill.ts';
import { type BuildHostOptions, openBuildHost } from '../../../fakes/apps/build-host.ts';
import { openSkillLives } from '../../../fakes/skill-lives.ts';

/** What the user changes in an app while it is built. */

const MAIN = 'tea/src/main.js';
const STYLE = 'tea/src/style.css';
const js = (code: string): string => `src/main.js\n\`\`\`js\n${code}\n\`\`\``;
const PLAN = {
  ...{ name: 'Tea', template: 'static', points: ['The page names the tea'] },
  files: [{ path: 'src/main.js', purpose: 'The counter.' }],
};
const TESTS = { tests: [{ point: 1, steps: [{ action: 'expect', name: 'Tea' }] }] };

async function build(
  answers: { readonly file: string; readonly repair?: readonly string[] },
  edit: NonNullable<BuildHostOptions['edit']>,
) {
  const repairs = [...(answers.repair ?? [])];
  const opened = openBuildHost({
    edit,
    answer: (kind) => {
      if (kind === 'plan') return PLAN;
      if (kind === 'tests') return TESTS;
      return kind === 'repair' ? (repairs.shift() ?? 'I do not know.') : answers.file;
    },
    judge: (files) => {
      const text = Object.values(files).join('\n');
      const count = [...text.matchAll(/bad (\d+)/g)].reduce((sum, [, one]) => sum + Number(one), 0);
      const message = 'It is not a function';
      return { problems: Array.from({ length: count }, () => ({ kind: 'error', message })) };
    },
  });
  const life = openSkillLives([skill]).life({ host: opened.host });
  const outcome = await life.execute('app_builder', { description: 'Count tea.' });
  expect(outcome.ok).toBe(true);
  const repairPrompts = opened.asked.filter((one) => one.startsWith('repair'));
  return { ...opened, repairPrompts };
}

it('a file that the user writes while the model writes it is theirs, and the model writes with it in sight', async () => {
  const { files, asked } = await build(
    { file: js('good') },
    { during: 'file', path: MAIN, text: 'mine\n' },
  );
  const writes = asked.filter((one) => one.startsWith('file'));
  expect(writes).toHaveLength(2);
  expect(writes[1]).toContain('mine');
  expect(writes[1]).toContain('Your last answer was refused.');
  // It has seen it then.
  expect(files.get(MAIN)).toBe('good\n');
});

it('a repair of a file that the user changed meanwhile is not written; the next one has their text', async () => {
  const { files, repairPrompts } = await build(
    { file: js('bad 2'), repair: [js('good'), js('good and mine')] },
    { during: 'repair', path: MAIN, text: 'bad 1 mine\n' },
  );
  expect(repairPrompts[1]).toContain('bad 1 mine');
  expect(files.get(MAIN)).toBe('good and mine\n');
});

it('what the user changed is not taken back, though it makes the app worse', async () => {
  const { files, repairPrompts } = await build(
    { file: js('bad 1'), repair: [js('good')] },
    { during: 'repair', path: MAIN, text: 'bad 4 mine\n' },
  );
  expect(files.get(MAIN)).toBe('bad 4 mine\n');
  expect(repairPrompts[1]).toContain('bad 4 mine');
});

it('a repair that is taken back leaves the files alone that the user changed meanwhile', async () => {
  const worse = `${js('bad 3')}\n\nsrc/style.css\n\`\`\`css\nbody { color: red }\n\`\`\``;
  const { files } = await build(
    { file: js('bad 1'), repair: [worse] },
    { during: 'repair', path: STYLE, text: 'body { color: blue }\n' },
  );
  expect(files.get(MAIN)).toBe('bad 1\n');
  expect(files.get(STYLE)).toBe('body { color: blue }\n');
});

it('a repair that has their text in sight is the best state then, not the text that they had', async () => {
  const { files } = await build(
    { file: js('bad 1'), repair: [js('good'), js('bad 2 merged'), js('bad 9')] },
    { during: 'repair', path: MAIN, text: 'bad 4 mine\n' },
  );
  expect(files.get(MAIN)).toBe('bad 2 merged\n');
});
