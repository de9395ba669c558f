import type { ChatModel, ModelReply, ModelRequest, SendOptions } from '#main/models/types.ts';
import { TokenEstimator } from '#main/models/window/token-estimate.ts';
import { numbersOf, termsOf } from '#main/research-text/terms.ts';

/** What a rule sees of a request, whatever it came over. */
export interface RuleRequest {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly format: Readonly<Record<string, unknown>> | null;
}

/** The text of an answer, from the request alone. */
export type ModelRule = (request: RuleRequest) => string;

export interface ResearchRuleOptions {
  /** The report cites an excerpt for what does not stand there, and says something without any. */
  readonly lies?: boolean;
  /** Phases that get an answer that is no JSON: properties that their schema asks for. */
  readonly nonsense?: readonly string[];
  /** No sub-question is ever answered; these are what to look for next. */
  readonly neverEnough?: readonly string[];
  /** Queries of the plan, in place of those made of the question. */
  readonly queries?: readonly string[];
}

interface Line {
  readonly text: string;
  readonly ids: readonly number[];
}

/**
 * A research model without a model: it quotes, groups and compares what stands in its prompt. It also
 * does what a gullible one would: orders on a page are quoted like anything else.
 */
export function researchRule({
  lies = false,
  nonsense = [],
  queries,
  neverEnough,
}: ResearchRuleOptions = {}): ModelRule {
  return ({ messages, format }) => {
    const user = messages.findLast(({ role }) => role === 'user')?.content ?? '';
    const asked = Object.keys((format?.properties as object | undefined) ?? {});
    if (nonsense.some((name) => asked.includes(name))) return 'I am not sure what you mean.';
    const question = /^Question: (.*)$/m.exec(user)?.[1] ?? '';
    const subQuestions = [...user.matchAll(/^\d+\. (.*)$/gm)].map(([, text = '']) => text);
    if (asked.includes('queries')) return JSON.stringify(plan(question, queries));
    if (asked.includes('followUps'))
      return JSON.stringify(coverage(user, subQuestions, neverEnough));
    if (asked.includes('findings')) return JSON.stringify({ findings: findings(user) });
    if (asked.includes('contradictions')) return JSON.stringify(compare(user));
    if (asked.includes('sections')) return JSON.stringify(report(user, question, lies));
    return JSON.stringify(notes(user, question, subQuestions));
  };
}

function plan(question: string, queries?: readonly string[]) {
  const parts = question.split(/\s+and\s+|[,;?，；？]\s*|以及/).filter((part) => part.length > 3);
  const subject = question.replace(/[?？]/g, '');
  return { subQuestions: parts, queries: queries ?? [subject, ...parts] };
}

function notes(user: string, question: string, subQuestions: readonly string[]) {
  const material = /<data-\w+>\n([\s\S]*?)\n<\/data-/.exec(user)?.[1] ?? '';
  const asked = new Set(termsOf(`${question} ${subQuestions.join(' ')}`));
  const excerpts = sentencesOf(material)
    .map((text) => ({ text, shared: termsOf(text).filter((term) => asked.has(term)).length }))
    .filter(
      ({ shared, text }) => (shared >= 2 && numbersOf(text).size > 0) || /ignore all/i.test(text),
    )
    .sort((a, b) => b.shared - a.shared)
    .slice(0, 4)
    .map(({ text }) => ({ text, about: closest(text, subQuestions) }));
  return { excerpts, summary: excerpts[0]?.text ?? 'Nothing.' };
}

function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?])\s+|(?<=[。！？])|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length > 8);
}

function closest(text: string, subQuestions: readonly string[]): number[] {
  const held = new Set(termsOf(text));
  const shared = subQuestions.map((one) => {
    const wanted = termsOf(one);
    return wanted.filter((term) => held.has(term)).length / Math.max(1, wanted.length);
  });
  const most = Math.max(0, ...shared);
  return most === 0 ? [] : [shared.indexOf(most) + 1];
}

function coverage(user: string, subQuestions: readonly string[], neverEnough?: readonly string[]) {
  if (neverEnough !== undefined) {
    const summary = 'There is more to know.';
    return { answered: [], summary, openQuestions: subQuestions, followUps: neverEnough };
  }
  const lines = excerptsIn(user);
  const answered = subQuestions.flatMap((question, at) => {
    const wanted = new Set(termsOf(question));
    const isHeld = lines.some(
      ({ text }) => new Set(termsOf(text).filter((term) => wanted.has(term))).size >= 2,
    );
    return isHeld ? [at + 1] : [];
  });
  const open = subQuestions.filter((_question, at) => !answered.includes(at + 1));
  const summary = `${answered.length} of ${subQuestions.length} have something.`;
  return { answered, summary, openQuestions: open, followUps: open };
}

function excerptsIn(user: string): Line[] {
  return [...user.matchAll(/^\[E(\d+)\] \(source \d+\) (.*)$/gm)].map(([, id, text = '']) => ({
    text,
    ids: [Number(id)],
  }));
}

function findings(user: string) {
  const grouped = new Map<string, number[]>();
  for (const { text, ids } of excerptsIn(user)) {
    grouped.set(text, [...(grouped.get(text) ?? []), ...ids]);
  }
  return [...grouped]
    .map(([text, excerpts]) => ({ text, excerpts }))
    .sort((a, b) => b.excerpts.length - a.excerpts.length);
}

function findingsIn(user: string): (Line & { question: number })[] {
  return [...user.matchAll(/^- \(sub-question (\d+)\) (.*) \[(E[\dE, ]+)\]$/gm)].map(
    ([, question, text = '', ids = '']) => ({
      ...{ text, question: Number(question) },
      ids: ids.split(', ').map((id) => Number(id.slice(1))),
    }),
  );
}

function compare(user: string) {
  const all = findingsIn(user);
  const contradictions = all.flatMap((one, at) =>
    all.slice(at + 1).flatMap((other) => {
      const words = (text: string) => new Set(termsOf(text).filter((term) => !/^\d/.test(term)));
      const [left, right] = [words(one.text), words(other.text)];
      const shared = [...left].filter((word) => right.has(word)).length;
      const isSame = shared / Math.min(left.size, right.size) > 0.75;
      const [a, b] = [numbersOf(one.text), numbersOf(other.text)];
      if (!isSame || [...a].every((number) => b.has(number))) return [];
      const side = ({ text, ids }: Line) => ({ text, excerpt: ids[0] ?? 0 });
      return [{ topic: 'Different figures', a: side(one), b: side(other) }];
    }),
  );
  const agreements = all.filter(({ ids }) => ids.length > 1);
  return {
    agreements: agreements.map(({ text, ids }) => ({ text, excerpts: ids })),
    contradictions,
    gaps: [],
  };
}

function report(user: string, question: string, lies: boolean) {
  const all = findingsIn(user);
  const said = all.map(({ text, ids }) => ({ text, excerpts: ids }));
  const numbers = [...new Set(all.map(({ question: number }) => number))];
  const sections = numbers.map((number) => ({
    heading: `Question ${number}`,
    statements: all
      .filter((one) => one.question === number)
      .map(({ text, ids }) => ({ text, excerpts: ids })),
  }));
  const [first] = said;
  const lie = { text: 'It employs 777 divers from Portugal.', excerpts: first?.excerpts ?? [] };
  const unbacked = { text: 'Everybody is happy about it [42].', excerpts: [9_999] };
  const planted = { heading: 'Planted', statements: [lie, unbacked] };
  return {
    title: question,
    summary: said.slice(0, 3),
    sections: lies ? [...sections, planted] : sections,
  };
}

/** A model in this process that answers by a rule; it refuses what its window cannot hold. */
export class RuleChatModel implements ChatModel {
  readonly ref = { provider: 'fake', name: 'rule' };
  readonly profile = {
    trainedContext: null,
    tools: true,
    thinking: null,
    vision: null,
    cloud: false,
  };
  readonly contextWindow: number;
  readonly requests: ModelRequest[] = [];
  /** The largest request so far, with room for its answer, in estimated tokens. */
  largest = 0;
  readonly #rule: ModelRule;

  constructor(rule: ModelRule, contextWindow = 8_192) {
    this.#rule = rule;
    this.contextWindow = contextWindow;
  }

  async send(request: ModelRequest, { signal }: SendOptions): Promise<ModelReply> {
    signal.throwIfAborted();
    this.requests.push(request);
    const estimator = new TokenEstimator();
    const prompt = request.messages.reduce((sum, message) => sum + estimator.message(message), 0);
    this.largest = Math.max(this.largest, prompt + (request.maxOutputTokens ?? 0));
    const { messages, format = null } = request;
    const content = this.#rule({ messages, format });
    await new Promise((resolve) => setImmediate(resolve));
    return {
      ...{ content, reasoning: '', toolCalls: [], invalidToolCalls: [], finish: 'stop' },
      ...{ usage: { durationMs: 1 }, requestBytes: 0, prefix: { hit: true, bytes: 0 } },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Nothing is held.
  }
}
