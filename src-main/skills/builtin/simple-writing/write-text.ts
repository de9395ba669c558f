import { AppError } from '#contract/errors.ts';
import { isRefusal } from '../../refusal.ts';
import type { JsonObject, SkillContext } from '../../types.ts';
import type { Outline } from './drafts.ts';
import { LENGTHS, type Length } from './lengths.ts';
import { WRITING_PROMPT } from './prompts.ts';
import { goesInCircles, plain, tidySection } from './tidy-text.ts';

/** Longer texts are written section by section: small models lose the thread in one go. */
const ONE_GO_WORDS = 800;
/** Characters of the previous section in the prompt for the next. */
const TAIL_CHARS = 600;

/** The request, for a prompt. */
export function describeRequest(params: JsonObject): string {
  const { request, type, tone, audience, language, length } = params;
  const { words } = LENGTHS[length as Length];
  const lines = [
    `What is asked for: ${type === 'email' ? 'an e-mail' : `a text (${type})`}`,
    `The request:\n${request}`,
    `Tone: ${tone}`,
    `Length: about ${type === 'email' ? Math.round(words / 2) : words} words`,
    ...(audience === undefined ? [] : [`Readers: ${audience}`]),
    ...(language === undefined ? [] : [`Language: ${language}`]),
  ];
  return lines.join('\n\n');
}

/** The body of a text below its title, from its outline. Throws `SKILL_MODEL_ANSWER` where the model gives no usable text. */
export async function writeText(
  outline: Outline,
  params: JsonObject,
  context: SkillContext,
): Promise<string> {
  const { words } = LENGTHS[params.length as Length];
  if (words <= ONE_GO_WORDS) return writeAtOnce(outline, params, context);
  const parts: string[] = [];
  for (const [index, { heading }] of outline.sections.entries()) {
    context.progress(`Section ${index + 1} of ${outline.sections.length}: ${heading}`);
    const text = await writeSection({ outline, index, params, parts }, context);
    parts.push(`## ${heading}\n\n${text}`);
  }
  return parts.join('\n\n');
}

async function writeAtOnce(
  outline: Outline,
  params: JsonObject,
  { services: { llm } }: SkillContext,
): Promise<string> {
  const text = await llm.ask({
    system: WRITING_PROMPT,
    prompt: `${describeRequest(params)}\n\n${describeOutline(outline)}\n\nWrite the whole text below its title, each section under its heading.`,
    maxOutputTokens: tokensFor(LENGTHS[params.length as Length].words),
  });
  refuseUnusable(text);
  // Headings of sections are one level below the title.
  return tidySection(text, [outline.title]).replace(/^###(?=(?:#*)\s)/gm, '##');
}

interface SectionJob {
  readonly outline: Outline;
  readonly index: number;
  readonly params: JsonObject;
  /** The sections before it. */
  readonly parts: readonly string[];
}

async function writeSection(job: SectionJob, { services: { llm } }: SkillContext): Promise<string> {
  const { outline, index, params, parts } = job;
  const section = outline.sections[index];
  if (section === undefined) throw new Error(`There is no section ${index}`);
  const words = Math.round(LENGTHS[params.length as Length].words / outline.sections.length);
  const before = parts.at(-1);
  const prompt = [
    describeRequest(params),
    describeOutline(outline),
    ...(before === undefined ? [] : [`The text before ends with:\n…${before.slice(-TAIL_CHARS)}`]),
    `Write section ${index + 1}, "${section.heading}", alone: about ${words} words, without its heading. Its points: ${section.points}`,
  ].join('\n\n');
  const ask = async (fullPrompt: string): Promise<string> => {
    const request = { system: WRITING_PROMPT, maxOutputTokens: tokensFor(words) };
    const text = await llm.ask({ ...request, prompt: fullPrompt });
    refuseUnusable(text);
    return tidySection(text, [outline.title, section.heading]);
  };
  const isNew = (text: string): boolean =>
    text !== '' && !parts.some((part) => plain(part).endsWith(plain(text)));
  const text = await ask(prompt);
  if (isNew(text)) return text;
  const again = await ask(
    `${prompt}\n\nAnother section says that already, or nothing was said. Write what belongs to this one.`,
  );
  if (isNew(again)) return again;
  throw new AppError(
    'SKILL_MODEL_ANSWER',
    `The model gave the same text for two sections, "${section.heading}" the second. A larger model may do better.`,
  );
}

/** Far more than the words need, so that every text can end and an endless one is stopped. */
function tokensFor(words: number): number {
  return words * 5 + 1_000;
}

function refuseUnusable(text: string): void {
  const start = text.trim().slice(0, 200);
  if (isRefusal(text)) {
    throw new AppError('SKILL_MODEL_ANSWER', `The model did not write the text. It said: ${start}`);
  }
  if (!goesInCircles(text)) return;
  throw new AppError(
    'SKILL_MODEL_ANSWER',
    `The model repeated itself: ${start} A larger model may do better.`,
  );
}

function describeOutline({ title, sections }: Outline): string {
  const lines = sections.map(({ heading, points }, index) => `${index + 1}. ${heading}: ${points}`);
  return `The outline of "${title}":\n${lines.join('\n')}`;
}
