import type { JsonObject, Skill, SkillResult } from '#main/skills/types.ts';
import { openOn } from '../main/models/harness.ts';
import type { WireStepInput } from './model-server/options.ts';
import { hostSkills } from './skill-host.ts';

/**
 * A skill whose model is on a server that plays `steps` at each request. `seconds` is the time that the
 * skill has. Gives the result and whether each request was left by the app before its end.
 */
export async function executeOnServer(
  skill: Skill,
  params: JsonObject,
  { steps, seconds }: { readonly steps: readonly WireStepInput[]; readonly seconds: number },
): Promise<{ readonly result: SkillResult; readonly left: readonly boolean[] }> {
  // Loading it takes a good part of a second, which is the skill's only where it has few.
  await import('@langchain/langgraph');
  await using server = await openOn('ollama', { turns: [{ times: 'always', steps: [...steps] }] });
  const metadata = { ...skill.metadata, maxExecutionTimeSeconds: seconds };
  const { execute } = hostSkills([{ ...skill, metadata }], {
    model: async () => server.model,
    toolNames: new Set(metadata.requiredTools),
  });
  const result = await execute(metadata.id, params);
  const { requests } = server.fake.recording;
  await Promise.all(requests.map(({ closed }) => closed));
  const chats = requests.filter(({ path }) => path === '/api/chat');
  return { result, left: chats.map(({ aborted }) => aborted) };
}
