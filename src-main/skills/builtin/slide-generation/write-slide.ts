import { AppError, type ErrorCode } from '#contract/errors.ts';
import type { SlideLayout } from '#contract/slides.ts';
import { asData } from '../../as-data.ts';
import type { JsonObject, SkillContext } from '../../types.ts';
import { DRAWN_LAYOUT, LAYOUTS, slotsOf } from './layouts.ts';
import { fittedPrompt } from './material.ts';
import { SLIDE_PROMPT } from './prompts.ts';
import type {
  GivenSlide,
  Material,
  Outline,
  OutlinedSlide,
  SlideTask,
  WrittenSlide,
} from './types.ts';

export interface SlideJob {
  readonly task: SlideTask;
  readonly material: Material;
  readonly outline: Outline;
}

/** A slide that is to be written again, and what is wrong with it: nothing where the user asks for other words. */
export interface SlideFault {
  readonly slide: GivenSlide;
  readonly problems: readonly string[];
  /** An attempt before this one was no better. */
  readonly isRepeated?: boolean;
}

/** Characters of a slide that is to be written again, and of what is wrong with it. */
const FAULT_CHARS = 1_500;
/** Of a slide that the user wants in other words, which keeps all of its facts. */
export const REWRITTEN_CHARS = 4_000;
const VARIED = 0.8;
/** What makes one slide unusable, and not the presentation. */
const UNUSABLE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(['SKILL_MODEL_ANSWER', 'MODEL_CONTEXT_EXCEEDED'] as const),
]);

/** The slide at this place of the outline, from the model; null where it gives no usable answer. */
export async function writeSlide(
  index: number,
  job: SlideJob,
  { context, fault = null }: { readonly context: SkillContext; readonly fault?: SlideFault | null },
): Promise<WrittenSlide | null> {
  const planned = plannedAt(job.outline, index);
  // It follows from the outline, and so fits it.
  if (planned.layout === 'agenda' && fault === null) {
    return { slide: agendaSlide(index, job.outline), drawing: null };
  }
  const layout = fault === null ? planned.layout : fault.slide.layout;
  const query = [planned.title, ...planned.points].join('\n');
  // Pictures are drawn once: a slide that is written again keeps its own.
  const draws = layout === 'image_text' && job.task.draws && fault === null;
  const how = { layout, fault, draws };
  const parts = { system: SLIDE_PROMPT, job: jobText(index, job, how), query };
  const prompt = await fittedPrompt(parts, job, context);
  try {
    const { schema } = draws ? DRAWN_LAYOUT : LAYOUTS[layout];
    // Other words are wanted, which the likeliest ones are not.
    const varied = fault?.problems.length === 0 ? { temperature: VARIED } : {};
    const draft = await context.services.llm.askFor({ ...prompt, ...varied, schema });
    return asSlide(draft, { ...how, planned, job });
  } catch (error) {
    if (error instanceof AppError && UNUSABLE.has(error.code)) return null;
    throw error;
  }
}

/** A slide made of the outline alone. */
export function simpleSlide(index: number, outline: Outline): GivenSlide {
  const { layout, title, points } = plannedAt(outline, index);
  if (layout === 'title' || layout === 'closing') return { layout, title };
  if (layout === 'agenda') return agendaSlide(index, outline);
  if (points.length === 0) return { layout: 'section', title };
  return { layout: 'bullets', title, items: points };
}

function agendaSlide(index: number, { slides }: Outline): GivenSlide {
  const { title } = slides[index] ?? { title: '' };
  const sections = slides.filter(({ layout }) => layout === 'section');
  const others = slides.filter(
    ({ layout }) => layout !== 'title' && layout !== 'agenda' && layout !== 'closing',
  );
  const items = (sections.length > 1 ? sections : others).map((one) => one.title);
  return items.length === 0 ? { layout: 'section', title } : { layout: 'agenda', title, items };
}

/** How one slide is written. */
interface HowToWrite {
  readonly layout: SlideLayout;
  readonly fault: SlideFault | null;
  /** Its picture may be one that is drawn. */
  readonly draws: boolean;
}

function jobText(
  index: number,
  { outline, material }: SlideJob,
  { layout, fault, draws }: HowToWrite,
): string {
  const { title, points } = plannedAt(outline, index);
  const list = outline.slides.map((one, at) => `${at + 1}. ${one.title}`).join('\n');
  const files = material.documents.filter(({ kind }) => kind === 'data');
  const needsFiles = (layout === 'chart' || layout === 'table') && files.length > 0;
  const pictures = layout === 'image_text' ? material.pictures : [];
  return [
    `The slides of "${outline.title}":\n${list}`,
    `Write slide ${index + 1}, "${title}". Layout: ${layout}.`,
    ...(points.length === 0 ? [] : [`Its points:\n${points.map((one) => `- ${one}`).join('\n')}`]),
    ...(needsFiles ? [`Data files: ${files.map(({ source }) => source).join(', ')}.`] : []),
    ...(pictures.length > 0 ? [`Pictures: ${pictures.join(', ')}.`] : []),
    ...(fault === null ? [] : faultText(fault)),
    `Slots: ${draws ? DRAWN_LAYOUT.slots(pictures.length === 0) : LAYOUTS[layout].slots}`,
  ].join('\n\n');
}

function faultText({ slide, problems, isRepeated = false }: SlideFault): string[] {
  const json = JSON.stringify(slide);
  if (problems.length === 0) {
    const whole = asData(json.slice(0, REWRITTEN_CHARS), 'the slide as it is');
    return [whole, 'Write it again as the request says, and not as it is. Keep its facts.'];
  }
  return [
    asData(json.slice(0, FAULT_CHARS), 'the slide as it is'),
    asData(problems.join('\n').slice(0, FAULT_CHARS), 'what is wrong with it'),
    ...(isRepeated ? ['Your last attempt was no better.'] : []),
    'Write it again without that: shorter, with fewer entries, or said otherwise. Keep its facts.',
  ];
}

/** The answer as a slide: with known sources, and files that are there; null where it has a file that is not. */
function asSlide(
  draft: JsonObject,
  how: HowToWrite & { readonly planned: OutlinedSlide; readonly job: SlideJob },
): WrittenSlide | null {
  const { layout, fault, draws, planned, job } = how;
  const { documents, pictures } = job.material;
  const { picture: description = '', ...own }: Record<string, unknown> = slotsOf(layout, draft);
  const chart = own.chart as { readonly file?: string } | undefined;
  const data = layout === 'table' ? own.file : chart?.file;
  const known = documents.find(({ kind, source }) => kind === 'data' && source === pathOf(data));
  if (data !== undefined && known === undefined) return null;
  if (chart?.file !== undefined) own.chart = { ...chart, file: known?.source };
  else if (data !== undefined) own.file = known?.source;
  let drawing: WrittenSlide['drawing'] = null;
  if (layout === 'image_text') {
    const named = pictures.find((path) => path === pathOf(own.image));
    if (named === undefined && draws && description !== '') {
      const prompt = String(description);
      const alt = String(own.alt ?? '');
      drawing = { prompt, alt: alt === '' ? prompt : alt };
      delete own.image;
    } else {
      // With one picture it is clear which one is meant, and a slide that is written again keeps its own.
      const only = pictures.length === 1 ? pictures[0] : undefined;
      own.image = named ?? fault?.slide.image ?? only;
      if (own.image === undefined) return null;
    }
  }
  const cited = (draft.sources as readonly string[]).flatMap((given) => {
    const number = Number(/\d+/.exec(given)?.[0] ?? 0);
    const named = documents.find(({ source }) => source === given);
    return named?.source ?? documents.find((one) => one.number === number)?.source ?? [];
  });
  const sources = [...new Set(cited)];
  const { notes, title } = draft as { readonly notes: string; readonly title: string };
  const slide = {
    ...{ layout, title: title === '' ? planned.title : title, ...own },
    ...(notes === '' ? {} : { notes }),
    ...(sources.length === 0 ? {} : { sources }),
  };
  return { slide, drawing };
}

function plannedAt({ slides }: Outline, index: number): OutlinedSlide {
  const planned = slides[index];
  if (planned === undefined) throw new Error(`There is no slide ${index}`);
  return planned;
}

function pathOf(given: unknown): string {
  return String(given ?? '').replace(/^\/?(?:workspace\/+)?/, '');
}
