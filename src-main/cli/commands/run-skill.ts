import { AppError } from '#contract/errors.ts';
import type { CliEnvironment } from '../environment.ts';
import { UsageError } from '../exit-codes.ts';
import { checkAttachments } from '../run-input.ts';
import { expectedParams, type ParamFlags, readParams, skillPrompt } from '../skill-params.ts';
import { type RunFlags, type StartRun, startAndFollow } from './run.ts';

/** `hyperagent skills run`: a run that consists of one skill, followed like any other. */
export async function runSkill(
  skillId: string,
  flags: RunFlags & ParamFlags,
  environment: CliEnvironment,
): Promise<number> {
  const startRun: StartRun = async (api, started) => {
    const { skill } = await api['skills.get']({ skillId });
    const { summary, metadata } = skill;
    const { id, name } = summary;
    const params = readParams(flags, metadata?.parameters ?? []);
    try {
      return await api['runs.start']({
        ...started,
        prompt: skillPrompt(name, params),
        options: { ...started.options, skill: { id, params } },
      });
    } catch (error) {
      const isInput = error instanceof AppError && error.code === 'SKILL_INPUT_INVALID';
      if (!isInput || metadata === null) throw error;
      throw new UsageError(`${error.message} ${expectedParams(metadata)}`);
    }
  };
  return await startAndFollow(startRun, flags, {
    environment,
    read: () => checkAttachments(flags.attach ?? []),
  });
}
