import { z } from 'zod';
import { lenientChoice } from '../../lenient-choice.ts';
import type { SkillContext } from '../../types.ts';
import { checkApp } from './app-tools.ts';
import type { TestedPoint } from './types.ts';

const ACTIONS = ['click', 'fill', 'expect', 'gone'] as const;
const ALIASES = {
  ...{ press: 'click', tap: 'click', check: 'click', select: 'fill', type: 'fill', enter: 'fill' },
  ...{ see: 'expect', find: 'expect', assert: 'expect', absent: 'gone', hidden: 'gone' },
} as const;

const StepDraft = z.object({
  action: lenientChoice(ACTIONS, { aliases: ALIASES, otherwise: 'expect' }),
  name: z.string().trim().min(1).max(200),
  value: z
    .union([z.string(), z.number()])
    .transform(String)
    .pipe(z.string().max(1_000))
    .default(''),
});
/** One step of a test, by a name that the page shows. */
export type PageStepDraft = z.infer<typeof StepDraft>;

/** What a model answers; `point` counts from 1. */
export const DraftedTests = z.object({
  tests: z
    .array(z.object({ point: z.coerce.number().int(), steps: z.array(StepDraft).max(20) }))
    .max(20),
});

/** The tests by point; a point without steps has none. */
export function stepsOf(
  { tests }: z.infer<typeof DraftedTests>,
  points: readonly string[],
): readonly (readonly PageStepDraft[])[] {
  return points.map((_, index) => tests.find(({ point }) => point === index + 1)?.steps ?? []);
}

/**
 * Why these steps prove nothing, however they end; null where they may. What the page shows before anything was done is
 * no proof that doing it works.
 */
export function weakness(steps: readonly PageStepDraft[], opening: string): string | null {
  const last = steps.at(-1);
  if (last === undefined) return 'It has no test.';
  if (last.action === 'click' || last.action === 'fill') return 'Its test ends without a look.';
  const acts = steps.filter(({ action }) => action === 'click' || action === 'fill');
  const wasThere = contains(opening, last.name);
  if (last.action === 'expect') {
    if (acts.length === 0 || !wasThere) return null;
    return `Its test looks for "${last.name}", which the page shows before anything is done.`;
  }
  const wasSeen =
    wasThere ||
    steps.slice(0, -1).some(({ action, name }) => action === 'expect' && contains(name, last.name));
  if (wasSeen && acts.length > 0) return null;
  return `Its test looks whether "${last.name}" is gone, and never saw it.`;
}

function contains(text: string, part: string): boolean {
  const plain = (given: string): string => given.replaceAll(/\s+/g, ' ').trim().toLowerCase();
  return plain(text).includes(plain(part));
}

/** Runs the test of a point. `opening` is what the page shows when it opens. */
export async function testPoint(
  point: string,
  { steps, opening }: { readonly steps: readonly PageStepDraft[]; readonly opening: string },
  context: SkillContext,
): Promise<TestedPoint> {
  const weak = weakness(steps, opening);
  if (weak !== null) return { point, steps, shown: false, evidence: weak };
  const checked = await checkApp(context, steps.map(asStep));
  if (typeof checked === 'string') return { point, steps, shown: false, evidence: checked };
  const { problems, passed } = checked;
  // What a look at the page alone finds is reported by the check of the page.
  const broken = problems.find(
    ({ kind, message }) => kind === 'step' || (message.startsWith('After ') && kind !== 'overflow'),
  );
  const isShown = broken === undefined && passed.length === steps.length;
  const done = passed.length === 0 ? '' : ` after ${passed.join('; ')}`;
  return {
    ...{ point, steps, shown: isShown },
    evidence: isShown
      ? passed.join('; ')
      : `${broken?.message ?? problems[0]?.message ?? 'Its test did not come to its end.'}${done}`,
  };
}

function asStep({ action, name, value }: PageStepDraft): Readonly<Record<string, string>> {
  return action === 'fill' ? { fill: name, value } : { [action]: name };
}
