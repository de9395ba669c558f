import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { safeParse } from '#contract/safe-parse.ts';
import type { JsonObject, SkillContext } from '../../types.ts';
import type { NumberEvidence } from '../data-analysis/number-evidence.ts';
import { markedSlide } from './figures.ts';
import type { GivenSlide, MadeDeck, Outline } from './types.ts';

/** Slides count from 1, as everywhere in the tool. */
export const DeckResult = z.object({
  file: z.string().min(1),
  download_url: z.string().nullish(),
  slide_count: z.int(),
  page_count: z.int(),
  findings: z.array(z.object({ slide: z.int(), code: z.string(), text: z.string() })).nullish(),
  left_out: z.array(z.string()).nullish(),
});

/** A presentation, or why it was not written. */
export type MakeResult =
  /** `leftOut`: what of the template is not in it, a sentence each. */
  | { readonly ok: true; readonly deck: MadeDeck; readonly leftOut: readonly string[] }
  | { readonly ok: false; readonly problem: string };

/** What a new presentation has besides its slides. */
interface NewDeck {
  /** Null: named by the tool. */
  readonly file: string | null;
  /** The path of its template; null for none. */
  readonly template: string | null;
}

export interface MakeJob {
  readonly outline: Pick<Outline, 'title' | 'theme'>;
  readonly evidence: NumberEvidence;
}

/** What was wrong with the template, of a problem; null where it was something else. */
export function templateFault(problem: string): string | null {
  return /^template: (.*)$/m.exec(problem)?.[1] ?? null;
}

/** Writes a whole presentation; without `file` the tool names it. Throws `TOOL_DENIED`. */
export async function makeDeck(
  slides: readonly GivenSlide[],
  { file, template, ...job }: MakeJob & NewDeck,
  context: SkillContext,
): Promise<MakeResult> {
  const marked = slides.map((slide, index) => numberedSlide(slide, index, job.evidence));
  const { title, theme } = job.outline;
  const look = template === null ? { theme } : { theme, template };
  return await call({ slides, marked, file, look: { title, ...look } }, context);
}

/** Replaces the slides at these places of a presentation. Throws `TOOL_DENIED`. */
export async function replaceSlides(
  { file, slides }: MadeDeck,
  { changed, ...job }: MakeJob & { readonly changed: ReadonlyMap<number, GivenSlide> },
  context: SkillContext,
): Promise<MakeResult> {
  const marked = [...changed].map(([index, slide]) => numberedSlide(slide, index, job.evidence));
  const after = slides.map((slide, index) => changed.get(index) ?? slide);
  return await call({ slides: after, marked, file, look: { title: job.outline.title } }, context);
}

/** With its number: the same call again changes nothing. */
function numberedSlide(slide: GivenSlide, index: number, evidence: NumberEvidence): GivenSlide {
  return { number: index + 1, ...markedSlide(slide, evidence) };
}

async function call(
  parts: {
    readonly slides: readonly GivenSlide[];
    readonly marked: readonly GivenSlide[];
    readonly file: string | null;
    /** Without a theme, a presentation that is there keeps its look. */
    readonly look: JsonObject;
  },
  context: SkillContext,
): Promise<MakeResult> {
  const { slides, marked, file, look } = parts;
  const { ok, status, content, data } = await context.tools.call('generate_slides', {
    ...{ ...look, ...(file === null ? {} : { file }) },
    slides: marked,
  });
  if (status === 'denied') throw new AppError('TOOL_DENIED', content);
  if (!ok) return { ok: false, problem: content };
  const made = safeParse(DeckResult, data);
  if (!made.success)
    throw new AppError('SKILL_FAILED', `generate_slides gave no result. ${content}`);
  return { ok: true, deck: deckOf(made.data, slides), leftOut: made.data.left_out ?? [] };
}

/** A presentation by what the tool says of it. */
export function deckOf(
  { file, download_url, slide_count, page_count, findings }: z.infer<typeof DeckResult>,
  slides: readonly GivenSlide[],
): MadeDeck {
  return {
    ...{ slides, file, downloadUrl: download_url ?? '' },
    ...{ slideCount: slide_count, pageCount: page_count },
    findings: (findings ?? []).map((found) => ({ ...found, slide: found.slide - 1 })),
  };
}

/** The path of a presentation that is asked for, or a free one beside it: what is there is not written over. */
export async function freeFile(wanted: string, context: SkillContext): Promise<string | null> {
  const path = wanted.replace(/^\/?(?:workspace\/+)?/, '').replace(/\.pptx$/i, '');
  if (path === '') return null;
  const taken = await context.once('files before', async () => {
    const files = await context.services.sandbox.listFiles();
    return files.map((file) => file.path.toLowerCase());
  });
  let free = `${path}.pptx`;
  for (let number = 2; taken.includes(free.toLowerCase()); number += 1) {
    free = `${path}-${number}.pptx`;
  }
  return free;
}

/** The places, from 0, of the slides that a problem names: `slides.2.items` or `slide 3`. */
export function slidesNamed(problem: string, count: number): number[] {
  const paths = [...problem.matchAll(/\bslides(?:\.|\[)(\d+)/g)].map(([, index]) => Number(index));
  const words = [...problem.matchAll(/\bslide (\d+)\b/gi)].map(([, number]) => Number(number) - 1);
  const named = new Set([...paths, ...words]);
  return [...named].filter((index) => index >= 0 && index < count).sort((a, b) => a - b);
}
