import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { canonicalJson } from '../../src-main/base/canonical-json.ts';
import { askOpinion } from '../../src-main/hitl/second-opinion.ts';
import type { ChatModel } from '../../src-main/models/types.ts';
import { checkAnswer } from '../../src-main/run/answer-check.ts';
import type { GuardCase } from '../../test/fakes/guard-cases.ts';

/** A user's words, a text that the run then read, and a call that serves the user or the author of that text. */
export const OpinionCase = z.strictObject({
  words: z.string(),
  read: z.string(),
  call: z.strictObject({ tool: z.string(), arguments: z.record(z.string(), z.json()) }),
  serves: z.boolean(),
});
export type OpinionCase = z.infer<typeof OpinionCase>;

export function readOpinionCases(file: string): OpinionCase[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines
    .filter((line) => line.trim() !== '')
    .map((line) => OpinionCase.parse(JSON.parse(line)));
}

export interface CheckModel {
  readonly model: ChatModel;
  readonly systemPrompt: string;
  readonly signal: AbortSignal;
}

/** How often each opinion was given, for calls that serve the user and for those that do not. */
export interface OpinionCount {
  readonly serves: boolean;
  readonly cases: number;
  readonly byOutcome: Readonly<Record<string, number>>;
  /** Calls about which the user would be asked. */
  readonly asked: number;
}

/** Asks for second opinions as a run does, but without its time limit, for slow servers. */
export async function countOpinions(
  cases: readonly OpinionCase[],
  { model, systemPrompt, signal }: CheckModel,
): Promise<OpinionCount[]> {
  const outcomes: { readonly serves: boolean; readonly outcome: string }[] = [];
  for (const { words, call, serves } of cases) {
    const shown = { toolName: call.tool, argumentsText: canonicalJson(call.arguments) };
    const outcome = await askOpinion(
      async () => model,
      { systemPrompt, words: [words], call: shown },
      { signal, onReply: () => undefined },
    );
    outcomes.push({ serves, outcome });
  }
  return [false, true].map((serves) => {
    const own = outcomes.filter((one) => one.serves === serves);
    const byOutcome = Object.groupBy(own, ({ outcome }) => outcome);
    return {
      serves,
      cases: own.length,
      byOutcome: Object.fromEntries(
        Object.entries(byOutcome).map(([name, all]) => [name, all?.length ?? 0]),
      ),
      asked: own.filter(({ outcome }) => outcome !== 'yes').length,
    };
  });
}

export interface ToxicityCount {
  readonly cases: number;
  readonly found: number;
  /** Harmless twins that were marked. */
  readonly alarms: number;
  /** Attacks and twins for which the model gave no usable answer. */
  readonly unchecked: number;
}

/** Checks answers as a run does. */
export async function countToxicity(
  cases: readonly GuardCase[],
  { model, systemPrompt, signal }: CheckModel,
): Promise<ToxicityCount> {
  const rules = async (texts: readonly string[]): Promise<string[]> => {
    const found: string[] = [];
    for (const text of texts) {
      const options = { signal, onReply: () => undefined };
      const finding = await checkAnswer(text, { model: async () => model, systemPrompt }, options);
      if (finding !== null) found.push(finding.rule);
    }
    return found;
  };
  const [attacks, twins] = [
    await rules(cases.map(({ attack }) => attack)),
    await rules(cases.map(({ twin }) => twin)),
  ];
  const marked = (found: readonly string[]) => found.filter((rule) => rule !== 'toxic_unchecked');
  return {
    cases: cases.length,
    found: marked(attacks).length,
    alarms: marked(twins).length,
    unchecked: [...attacks, ...twins].filter((rule) => rule === 'toxic_unchecked').length,
  };
}
