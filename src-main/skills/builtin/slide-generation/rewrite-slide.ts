import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { SlideLayout, SlideTheme } from '#contract/slides.ts';
import type { JsonObject, SkillContext } from '../../types.ts';
import { figureEvidence, splitMark } from './figures.ts';
import { countOf } from './fix-deck.ts';
import { DeckResult, deckOf, replaceSlides } from './make-deck.ts';
import { metadata } from './metadata.ts';
import { taskOf, textOf } from './task.ts';
import type { GivenSlide, MadeDeck, Material, Outline, SlideTask } from './types.ts';
import { REWRITTEN_CHARS, writeSlide } from './write-slide.ts';

/** A presentation as `generate_slides` reads it. */
const ReadDeck = DeckResult.extend({
  title: z.string(),
  theme: SlideTheme,
  slides: z.array(z.looseObject({ layout: SlideLayout, title: z.string() })).min(1),
});

/** A presentation of which one slide was written again, and all that a summary of it needs. */
export interface RewrittenDeck {
  readonly task: SlideTask;
  readonly material: Material;
  readonly outline: Outline;
  readonly deck: MadeDeck;
  readonly notes: readonly string[];
}

/**
 * Lets the model write one slide of a presentation that is there again, as the request says. One that the check finds worse is
 * as before at the end. Throws `SKILL_INPUT_INVALID`, `SKILL_MODEL_ANSWER`, `TOOL_DENIED`.
 */
export async function rewriteSlide(
  params: JsonObject,
  context: SkillContext,
): Promise<RewrittenDeck> {
  const given = taskOf(params);
  const language = given.language === '' ? 'that of the slide as it is' : given.language;
  const task = { ...given, language, template: null, draws: false };
  const { title, theme, deck: before, marks } = await readDeck(textOf(params.file), context);
  const number = Number(params.slide);
  const index = number - 1;
  const old = before.slides[index];
  if (old === undefined) {
    throw invalid(
      `slide: must be from 1 to ${before.slides.length}, the slides of ${before.file}.`,
    );
  }
  if (JSON.stringify(old).length > REWRITTEN_CHARS) {
    const why = `Slide ${number} holds too much to be written again whole.`;
    throw new AppError('SKILL_FAILED', `${why} Edit it in its viewer, or say what to change.`);
  }
  const outline: Outline = {
    ...{ title, theme },
    slides: before.slides.map((slide) => ({
      layout: slide.layout,
      title: slide.title,
      points: [],
    })),
  };
  // The facts of the presentation, without figures that it marks itself as not verified.
  const text = before.slides
    .map((slide, at) => without(marks[at] ?? [], textsOf(slide)))
    .join('\n\n');
  const document = { number: 1, kind: 'text', source: before.file, title, text } as const;
  const material: Material = { documents: [document], pictures: [] };
  const job = { task, material, outline };
  const make = { outline, evidence: figureEvidence(task, material) };
  context.progress(`Writing slide ${number} again: ${old.title}`);
  const written = await writeSlide(index, job, { context, fault: { slide: old, problems: [] } });
  if (written === null) {
    throw new AppError(
      'SKILL_MODEL_ANSWER',
      `The model gave no usable answer, so slide ${number} is as before. A larger model may do better.`,
    );
  }
  // The presentation itself is no source.
  const { sources: _sources, ...slots } = written.slide;
  const { sources } = old;
  const slide: GivenSlide = sources === undefined ? slots : { ...slots, sources };
  const unchanged = { task, material, outline, deck: before };
  if (JSON.stringify(slide) === JSON.stringify(old)) {
    return { ...unchanged, notes: [`The model wrote slide ${number} as it was.`] };
  }
  const changed = new Map([[index, slide]]);
  const tried = await replaceSlides(before, { ...make, changed }, context);
  if (!tried.ok) {
    throw new AppError('SKILL_MODEL_ANSWER', `Slide ${number} is as before: ${tried.problem}`);
  }
  if (countOf(tried.deck, index) <= countOf(before, index)) {
    return { ...unchanged, deck: tried.deck, notes: [] };
  }
  const back = new Map([[index, old]]);
  const restored = await replaceSlides(tried.deck, { ...make, changed: back }, context);
  const worse = tried.deck.findings.filter((found) => found.slide === index);
  const why = worse.map(({ text: said }) => said).join(' ');
  const notes = restored.ok
    ? [`Slide ${number} is as before: the check found more on the new one. ${why}`]
    : [
        `The check found more on slide ${number} than before, and it could not be taken back. ${why}`,
      ];
  return { ...unchanged, deck: restored.ok ? restored.deck : tried.deck, notes };
}

async function readDeck(file: string, context: SkillContext) {
  if (file === '')
    throw invalid('file: is missing; it is the presentation whose slide is written again.');
  const look = { file, slides: [] };
  const { ok, status, content, data } = await context.tools.call('generate_slides', look);
  if (status === 'denied') throw new AppError('TOOL_DENIED', content);
  const read = safeParse(ReadDeck, data);
  if (!ok || !read.success) throw invalid(`file: ${content.slice(0, 500)}`);
  const { title, theme } = read.data;
  const split = read.data.slides.map(({ number: _number, ...slide }) => {
    const { notes, figures } = splitMark(typeof slide.notes === 'string' ? slide.notes : '');
    const { notes: _notes, ...slots } = slide;
    const plain = (notes === '' ? slots : { ...slots, notes }) as GivenSlide;
    return { plain, figures };
  });
  return {
    ...{ title, theme },
    deck: deckOf(
      read.data,
      split.map(({ plain }) => plain),
    ),
    marks: split.map(({ figures }) => figures),
  };
}

function textsOf(slide: GivenSlide): string {
  return JSON.stringify(slide, (name, value) => (name === 'layout' ? undefined : value))
    .replace(/[{}[\]"]+/g, ' ')
    .replaceAll('\\n', '\n');
}

function without(figures: readonly string[], text: string): string {
  return figures.reduce((rest, figure) => rest.replaceAll(figure, ' '), text);
}

function invalid(problem: string): AppError {
  return new AppError(
    'SKILL_INPUT_INVALID',
    `The parameters do not fit slide_generation: ${problem}`,
    {
      details: { expectedParameters: metadata.parameters },
    },
  );
}
