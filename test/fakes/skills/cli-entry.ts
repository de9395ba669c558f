import { systemClock } from '#main/base/clock.ts';
import { silentLogger } from '#main/base/logger.ts';
import { main } from '#main/cli/main.ts';
import type { Compose } from '#main/compose/app.ts';
import { checkRunSkill } from '#main/skills/start-skill.ts';
import { openStores } from '#main/storage/open-stores.ts';
import { createFakeApp } from '../app/fake-app.ts';
import type { Play } from '../app/fake-runs.ts';
import { skillsOver } from './skills-over.ts';

/**
 * The CLI on a real data folder with its lock, real skills of it, and runs that only say what
 * they were started as:
 *
 *   node test/fakes/skills/cli-entry.ts skills list --data-dir DIR
 */
const compose: Compose = async (options) => {
  const { readOnly, secondary = false } = options;
  const stores = openStores({
    ...{
      dataDir: options.dataDir,
      entryPoint: options.entryPoint,
      readOnly,
      secondary,
      seal: null,
    },
    onSecret: () => undefined,
    ...{ parseQuestion: (stored: unknown) => stored },
    ...{ clock: systemClock, logger: silentLogger },
  });
  const { requests, registry } = skillsOver(stores, { readOnly });
  const app = createFakeApp(options, playSkill);
  const start = app.runs.start.bind(app.runs);
  app.runs.start = async (input) => {
    const { skill } = input.options;
    if (skill === undefined) return await start(input);
    const checked = checkRunSkill(registry, skill);
    return await start({ ...input, options: { ...input.options, skill: checked } });
  };
  return {
    ...app,
    api: { ...app.api, ...requests },
    [Symbol.asyncDispose]: async () => stores.close(),
  };
};

const playSkill: Play = async ({ run, emit }) => {
  const { skill } = run.options;
  if (skill === undefined) throw new Error('This is no run of a skill');
  const mark = { skill: { id: skill.id, executionId: 'exe_1', toolCallId: 'call_1' } };
  const stage = { type: 'stage', name: `skill_${skill.id}` } as const;
  emit(
    { ...stage, ...mark, status: 'running', description: 'Skill' },
    {
      ...{ type: 'skill_output', skillId: skill.id, executionId: 'exe_1', toolCallId: 'call_1' },
      output: { options: { ...run.options }, prompt: run.prompt },
    },
    {
      ...{ type: 'complete', outcome: skill.params.strict === true ? 'unverified' : 'completed' },
      ...{ answer: `All of ${skill.id}.`, durationMs: 0, rounds: 1, toolCalls: 1 },
    },
  );
  return skill.params.strict === true ? 'unverified' : 'completed';
};

await main(process.argv.slice(2), {
  version: '1.2.3',
  rendererDir: '/nonexistent',
  loadCompose: () => Promise.resolve(compose),
});
