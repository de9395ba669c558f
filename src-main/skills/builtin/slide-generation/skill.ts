import { AppError } from '#contract/errors.ts';
import type { OfficeCheck } from '#contract/slides.ts';
import { type GraphStep, graphSkill } from '../../graph-skill.ts';
import type { JsonObject, Skill, SkillContext, SkillState } from '../../types.ts';
import { chooseTemplate } from './choose-template.ts';
import { drawPictures, willDraw } from './draw-pictures.ts';
import { figureEvidence, unverifiedFigures } from './figures.ts';
import { type FoundMaterial, findMaterial } from './find-material.ts';
import { fixable, fixDeck } from './fix-deck.ts';
import { freeFile, makeDeck, slidesNamed, templateFault } from './make-deck.ts';
import { metadata } from './metadata.ts';
import { makeOutline } from './outline.ts';
import { wishForOutline } from './outline-words.ts';
import { reviewOutline } from './review.ts';
import { rewriteSlide } from './rewrite-slide.ts';
import { taskOf, textOf } from './task.ts';
import type { Drawing, GivenSlide, MadeDeck, Outline, SlideTask } from './types.ts';
import { type SlideJob, simpleSlide, writeSlide } from './write-slide.ts';

const FIX_ROUNDS = 2;
const SHOWN_CHARS = 600;

/** What each step passes to the next; all of it is JSON. */
interface Work extends JsonObject {
  readonly task: SlideTask;
  readonly material: FoundMaterial;
  readonly outline: Outline;
  readonly slides: readonly GivenSlide[];
  /** By slide, what is to be drawn for it. */
  readonly drawings: readonly (Drawing | null)[];
  /** Paths of what was drawn. */
  readonly pictures: readonly string[];
  readonly deck: MadeDeck;
  readonly rounds: number;
  /** The slide that was written again, from 1; null for none. */
  readonly again?: number | null;
  readonly notes: readonly string[];
}

const workOf = ({ work }: SkillState): Work => work as Work;
const jobOf = ({ task, material, outline }: Work): SlideJob => ({ task, material, outline });
const makeOf = ({ task, material, outline }: Work) => ({
  outline,
  evidence: figureEvidence(task, material),
});

const research: GraphStep = {
  name: 'research',
  description: 'Looking for material',
  run: async ({ inputParams }, context) => {
    const { draws, notes } = await willDraw(inputParams, context);
    const template = await chooseTemplate(inputParams, context);
    const task = { ...taskOf(inputParams), template, draws };
    const material = await findMaterial(task, inputParams, context);
    return { work: { task, material, notes: [...material.notes, ...notes], rounds: 0 } };
  },
};

const outline: GraphStep = {
  name: 'outline',
  description: 'Making an outline',
  run: async (state, context) => {
    const { task, material } = workOf(state);
    const made = await makeOutline({ task, material }, context);
    context.progress(shownOutline(made));
    const isReviewed = state.inputParams.review_outline ?? wishForOutline(task.request);
    const next = isReviewed === true ? 'review' : 'slides';
    return { work: { outline: made }, next };
  },
};

const review: GraphStep = {
  name: 'review',
  description: 'Asking about the outline',
  run: async (state, context) => {
    const { notes, ...before } = workOf(state);
    const reviewed = await reviewOutline(before, context);
    context.progress(shownOutline(reviewed.outline));
    return { work: { ...reviewed, notes: [...notes, ...reviewed.notes] } };
  },
};

const write: GraphStep = {
  name: 'slides',
  description: 'Writing the slides',
  run: async (state, context) => {
    const work = workOf(state);
    const planned = work.outline.slides;
    const notes = [...work.notes];
    const { slideCount } = work.task;
    if (slideCount !== null && slideCount !== planned.length) {
      notes.push(`${slideCount} slides were asked for; the outline has ${planned.length}.`);
    }
    // The whole outline is shown before its first slide, and not again when a run resumes.
    await context.once('outline shown', async () => {
      for (const index of planned.keys()) emitSlide(context, work.outline, { index });
    });
    const slides: GivenSlide[] = [];
    const drawings: (Drawing | null)[] = [];
    for (const [index, { title }] of planned.entries()) {
      context.progress(`Slide ${index + 1} of ${planned.length}: ${title}`);
      const written = await writeSlide(index, jobOf(work), { context });
      slides.push(written?.slide ?? simpleSlide(index, work.outline));
      drawings.push(written?.drawing ?? null);
      if (written === null) notes.push(simplified(index, 'the model gave no usable answer'));
      const detail = written === null ? 'Simplified: made of the outline alone.' : undefined;
      emitSlide(context, work.outline, { index, status: 'completed', detail });
    }
    const next = drawings.some((drawing) => drawing !== null) ? 'pictures' : 'generate';
    return { work: { slides, drawings, pictures: [], notes }, next };
  },
};

const draw: GraphStep = {
  name: 'pictures',
  description: 'Drawing the pictures',
  run: async (state, context) => {
    const work = workOf(state);
    const { slides, pictures, notes } = await drawPictures(work.slides, work.drawings, context);
    return { work: { slides, pictures, notes: [...work.notes, ...notes] } };
  },
};

const generate: GraphStep = {
  name: 'generate',
  description: 'Making the presentation',
  run: async (state, context) => {
    const work = workOf(state);
    const wanted = textOf(state.inputParams.file);
    const file = await freeFile(wanted, context);
    let { template } = work.task;
    const slides = [...work.slides];
    const notes = [...work.notes];
    // Refused slides are written again once; then they are made of the outline.
    for (const attempt of ['first', 'rewritten', 'simplified']) {
      let made = await makeDeck(slides, { ...makeOf(work), file, template }, context);
      const fault = made.ok ? null : templateFault(made.problem);
      if (template !== null && fault !== null) {
        notes.push(`${template} was not used as the template: ${fault}`);
        template = null;
        made = await makeDeck(slides, { ...makeOf(work), file, template }, context);
      }
      if (made.ok) {
        const next = fixable(made.deck).length === 0 ? 'done' : 'fix';
        return { work: { deck: made.deck, notes: [...notes, ...made.leftOut] }, next };
      }
      const named = slidesNamed(made.problem, slides.length);
      if (attempt === 'simplified' || named.length === 0) throw refused(made.problem);
      for (const index of named) {
        const slide = slides[index] as GivenSlide;
        const refusal = { slide, problems: [made.problem] };
        const again =
          attempt === 'first'
            ? await writeSlide(index, jobOf(work), { context, fault: refusal })
            : null;
        slides[index] = again?.slide ?? simpleSlide(index, work.outline);
        if (again === null) notes.push(simplified(index, 'its content was refused'));
      }
    }
    throw new Error('The last attempt returns or throws');
  },
};

const fix: GraphStep = {
  name: 'fix',
  description: 'Fixing what the check found',
  run: async (state, context) => {
    const work = workOf(state);
    const rounds = work.rounds + 1;
    const job = { ...jobOf(work), make: makeOf(work), isRepeated: rounds > 1 };
    const fixed = await fixDeck(work.deck, job, context);
    const goesOn = rounds < FIX_ROUNDS && fixable(fixed.deck).length > 0;
    const notes = [...work.notes, ...fixed.notes];
    return { work: { deck: fixed.deck, rounds, notes }, next: goesOn ? 'fix' : 'done' };
  },
};

const rewrite: GraphStep = {
  name: 'rewrite',
  description: 'Writing the slide again',
  run: async ({ inputParams }, context) => {
    const rewritten = await rewriteSlide(inputParams, context);
    const material = { ...rewritten.material, sources: [], notes: [] };
    const again = rewritten.notes.length === 0 ? Number(inputParams.slide) : null;
    return { work: { ...rewritten, material, pictures: [], again }, next: 'done' };
  },
};

const done: GraphStep = {
  name: 'done',
  description: 'Summing up',
  run: async (state, context) => {
    const work = workOf(state);
    const { deck, material } = work;
    const office = await context.once('office', () =>
      context.services.slides.checkInOffice(deck.file),
    );
    const { title } = work.outline;
    const { evidence } = makeOf(work);
    const unverified = deck.slides.flatMap((slide, index) =>
      unverifiedFigures(slide, evidence).map((figure) => `Slide ${index + 1}: ${figure}`),
    );
    const findings = deck.findings.map(({ slide, text }) => `Slide ${slide + 1}: ${text}`);
    const counts = { findings: findings.length, figures: unverified.length };
    return {
      output: {
        summary: summaryOf({ title, deck, office, again: work.again ?? null, ...counts }),
        ...{ title, file: deck.file, download_url: deck.downloadUrl },
        ...{ slide_count: deck.slideCount, page_count: deck.pageCount },
        outline: deck.slides.map(({ layout, title: own }) => ({ layout, title: own })),
        ...{ findings, unverified_figures: unverified },
        pictures: work.pictures,
        sources: material.sources.map((source) => ({ ...source })),
        notes: [...work.notes, ...officeNotes(office)],
      },
    };
  },
};

/** Writes one slide again, or makes a presentation: material, outline, slides one by one, their pictures, then what a check finds is fixed. */
export const skill: Skill = {
  ...graphSkill(
    metadata,
    [research, outline, review, write, draw, generate, fix, rewrite, done],
    ({ slide }) => (slide === undefined ? research.name : rewrite.name),
  ),
  // For questions about the outline, to read documents and data files, and for pictures.
  optionalTools: ['ask_user', 'sandbox_file', 'execute_code', 'generate_image'],
};

/** A slide of the outline, in the conversation. */
function emitSlide(
  context: SkillContext,
  { slides }: Outline,
  shown: {
    readonly index: number;
    readonly status?: 'completed';
    readonly detail?: string | undefined;
  },
): void {
  const { index, status = 'pending', detail } = shown;
  context.emit({
    ...{ type: 'plan_step', stepId: `${context.executionId} slide ${index + 1}`, status },
    title: `${index + 1}. ${slides[index]?.title ?? ''}`,
    ...(detail === undefined ? {} : { detail }),
  });
}

function shownOutline({ slides }: Outline): string {
  const titles = slides.map(({ title }, index) => `${index + 1}. ${title}`).join(' · ');
  const short = titles.length > SHOWN_CHARS ? `${titles.slice(0, SHOWN_CHARS)}…` : titles;
  return `Outline: ${short}`;
}

function simplified(index: number, why: string): string {
  return `Slide ${index + 1} was simplified to the points of the outline: ${why}.`;
}

function refused(problem: string): AppError {
  return new AppError(
    'SKILL_MODEL_ANSWER',
    `The model's slides could not be made into a presentation: ${problem} A larger model may do better.`,
  );
}

function officeNotes(office: OfficeCheck): readonly string[] {
  return office.state === 'checked'
    ? office.problems
    : [`Not checked in LibreOffice (${office.why}).`];
}

function summaryOf(parts: {
  readonly title: string;
  readonly deck: MadeDeck;
  readonly office: OfficeCheck;
  readonly again: number | null;
  readonly findings: number;
  readonly figures: number;
}): string {
  const { title, deck, office, again, findings, figures } = parts;
  const pages = deck.pageCount === deck.slideCount ? '' : `, ${deck.pageCount} pages`;
  return [
    ...(again === null ? [] : [`Slide ${again} was written again.`]),
    `"${title}": ${deck.slideCount} slides${pages}, in ${deck.file}.`,
    findings === 0
      ? 'The check of the slides finds nothing.'
      : `The check of the slides still finds ${findings} ${findings === 1 ? 'thing' : 'things'}.`,
    ...(office.state === 'checked' && office.problems.length === 0
      ? ['LibreOffice shows its pages as the preview does.']
      : []),
    ...(figures === 0
      ? []
      : [
          figures === 1
            ? '1 figure was not found in the material; the notes of its slide say so.'
            : `${figures} figures were not found in the material; the notes of their slides say so.`,
        ]),
  ].join(' ');
}
