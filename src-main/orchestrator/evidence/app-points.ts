import { z } from 'zod';
import { safeParse } from '#contract/safe-parse.ts';
import type { MadeCall } from '../../agents/types.ts';
import { parseOutsideJson } from '../../base/outside-json.ts';
import { type CheckedFact, fact } from './types.ts';

/** What the skill that builds apps says of its own tests. */
const BuiltApp = z.object({
  points: z.array(z.object({ point: z.string(), shown: z.boolean(), evidence: z.string() })),
  problems: z.array(z.object({ kind: z.string(), message: z.string() })),
});
const SkillAnswer = z.object({ success: z.literal(true), output: BuiltApp });

const NO_PROBLEM = 'A check of the app finds no problem';

/** What the app must do, with the test that showed it, or why none did; nothing for the output of another skill. */
export function appFacts(output: unknown): CheckedFact[] {
  const built = safeParse(BuiltApp, output).data;
  if (built === undefined) return [];
  const [problem, ...others] = built.problems;
  const more = others.length === 0 ? '' : ` And ${others.length} more.`;
  const page =
    problem === undefined ? [] : [fact(NO_PROBLEM, 'unknown', `${problem.message}${more}`)];
  return [
    ...built.points.map(({ point, shown, evidence }) =>
      fact(point, shown ? 'holds' : 'unknown', evidence),
    ),
    ...page,
  ];
}

/** The same of the app that was built last in these calls. */
export function builtAppFacts(calls: readonly MadeCall[]): CheckedFact[] {
  const facts = calls
    .filter(({ name, status }) => name === 'invoke_skill' && status === 'ok')
    .map(({ content }) => appFacts(outputIn(content)));
  return facts.findLast((one) => one.length > 0) ?? [];
}

/** The output in an answer of `invoke_skill`, which may stand between marks. */
function outputIn(content: string): unknown {
  try {
    const json = content.slice(content.indexOf('{'), content.lastIndexOf('}') + 1);
    return safeParse(SkillAnswer, parseOutsideJson(json)).data?.output;
  } catch {
    // A result that was shortened says nothing for certain.
    return undefined;
  }
}
