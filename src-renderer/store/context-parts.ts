import type { RunEventOf } from '#contract/events/run-event.ts';

type Parts = NonNullable<RunEventOf<'usage'>['parts']>;
type PromptPart = (typeof PROMPT)[number];

const PROMPT = ['system', 'instructions', 'tools', 'history', 'attachments'] as const;

export interface ContextPart {
  readonly part: PromptPart | 'reserve' | 'free';
  readonly tokens: number;
}

/** Tokens of the prompt, as its parts are estimated; the reserve is not one of them. */
export function promptSize({
  system,
  instructions = 0,
  tools,
  history,
  attachments = 0,
}: Parts): number {
  return system + instructions + tools + history + attachments;
}

/**
 * The parts of a context window, which sum up to it: those of the prompt to what the server counted, then what is kept
 * for the answer, then what is free. Without a known window, the parts of the prompt alone. Empty parts are left out.
 */
export function contextParts(
  parts: Parts,
  used: number,
  contextWindow: number | null,
): readonly ContextPart[] {
  const estimate = promptSize(parts);
  if (estimate === 0) return [];
  let counted = 0;
  let estimated = 0;
  const prompt = PROMPT.map((part): ContextPart => {
    estimated += parts[part] ?? 0;
    // By the running sums, so that nothing is lost to rounding.
    const upTo = Math.round((estimated / estimate) * used);
    const tokens = upTo - counted;
    counted = upTo;
    return { part, tokens };
  });
  const left = contextWindow === null ? 0 : Math.max(0, contextWindow - used);
  const reserve = Math.min(parts.reserve, left);
  const all: readonly ContextPart[] = [
    ...prompt,
    { part: 'reserve', tokens: reserve },
    { part: 'free', tokens: left - reserve },
  ];
  return all.filter(({ tokens }) => tokens > 0);
}
