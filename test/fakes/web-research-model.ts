import { numbersOf, termsOf } from '#main/research-text/terms.ts';
import type { DirectedReply, DirectedRequest } from './directed-model.ts';

/** What a request of `web_research` asks for, told by its schema. */
export type WebResearchPhase = 'queries' | 'statements' | 'coverage' | 'summary';

export interface WebResearchRuleOptions {
  readonly queries?: readonly string[];
  /** Never enough, and these are what to look for next. */
  readonly followUps?: readonly string[];
  /** Invents quotes, figures and sources. */
  readonly lies?: boolean;
  /** Phases that get this answer in place of a good one. */
  readonly bad?: Partial<Record<WebResearchPhase, string>>;
}

export function phaseOf({ format }: Pick<DirectedRequest, 'format'>): WebResearchPhase {
  const asked = Object.keys((format?.properties as object | undefined) ?? {});
  if (asked.includes('statements')) return 'statements';
  if (asked.includes('enough')) return 'coverage';
  return asked.includes('key_findings') ? 'summary' : 'queries';
}

/**
 * A model for `web_research` without a model: it quotes what stands in its prompt, orders on a page like
 * anything else.
 */
export function webResearchRule(
  options: WebResearchRuleOptions = {},
): (request: DirectedRequest) => DirectedReply {
  return (request) => {
    const phase = phaseOf(request);
    const bad = options.bad?.[phase];
    if (bad !== undefined) return { content: bad };
    return { content: JSON.stringify(ANSWERS[phase](request.turn, options)) };
  };
}

const ANSWERS: Readonly<
  Record<WebResearchPhase, (prompt: string, options: WebResearchRuleOptions) => unknown>
> = {
  queries: (prompt, { queries }) => ({ queries: queries ?? [topicOf(prompt)] }),
  statements: (prompt, { lies = false }) => {
    const asked = new Set(termsOf(topicOf(prompt)));
    const quotes = dataOf(prompt)
      .split(/(?<=[.!?])\s+|(?<=[。！？])|\n+/)
      .map((sentence) => sentence.trim())
      .filter((sentence) => {
        const shared = termsOf(sentence).filter((term) => asked.has(term)).length;
        return (shared >= 2 && numbersOf(sentence).size > 0) || /ignore all/i.test(sentence);
      });
    const taken = quotes.slice(0, 4).map((quote) => ({ statement: quote, quote }));
    const lie = { statement: 'It has 777 divers.', quote: 'The station employs 777 divers.' };
    return { statements: lies ? [lie, ...taken] : taken };
  },
  coverage: (_prompt, { followUps }) =>
    followUps === undefined
      ? { enough: true, gaps: [], queries: [] }
      : { enough: false, gaps: ['There is more to know.'], queries: followUps },
  summary: (prompt, { lies = false }) => {
    const lines = [...dataOf(prompt).matchAll(/^\[(\d+)\] (.*)$/gm)].map(
      ([, index, text = '']) => ({
        ...{ index: Number(index), text },
      }),
    );
    const said = lines.map(({ index, text }) => `${text.replace(/[.。]$/, '')}. [${index}]`);
    const findings = lines.map(({ index, text }) => ({ statement: text, sources: [index] }));
    if (!lies) return { summary: said.join(' '), key_findings: findings, gaps: [] };
    return {
      summary: `${said.join(' ')} It employs 777 divers [1]. Everybody likes it [42].`,
      key_findings: [
        { statement: 'It employs 777 divers.', sources: [1] },
        { statement: 'Everybody likes it.', sources: [42] },
        ...findings.map((one) => ({ ...one, sources: [...one.sources, 42] })),
      ],
      gaps: [],
    };
  },
};

function topicOf(prompt: string): string {
  return /^Topic: (.*)$/m.exec(prompt)?.[1] ?? '';
}

function dataOf(prompt: string): string {
  return /<data-\w+>\n([\s\S]*?)\n<\/data-/.exec(prompt)?.[1] ?? '';
}
