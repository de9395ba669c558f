import { z } from 'zod';
import { SlideLayout, SlideTheme } from '#contract/slides.ts';
import { lenientChoice } from '../../lenient-choice.ts';
import type { SkillContext } from '../../types.ts';
import { MOST_DRAWN } from './draw-pictures.ts';
import { fittedPrompt } from './material.ts';
import { SLIDE_COUNT } from './metadata.ts';
import { OUTLINE_PROMPT } from './prompts.ts';
import type { Material, Outline, OutlinedSlide, SlideTask } from './types.ts';

const DEFAULT_COUNT = 8;
const TITLE_CHARS = 90;
const POINTS = 8;
const POINT_CHARS = 300;
const CHANGE_CHARS = 2_500;
const DRAWS = `An image model draws pictures: up to ${MOST_DRAWN} slides may be image_text, where a scene or a thing says more than words. It cannot draw real people, logos, charts or texts.`;

const title = z
  .string()
  .trim()
  .min(1)
  .transform((given) => given.replace(/\s+/g, ' ').slice(0, TITLE_CHARS));
const points = z
  .array(z.string())
  .default([])
  .transform((given) =>
    given
      .map((point) => point.trim().replace(/^[-*•]\s+/, ''))
      .filter((point) => point !== '')
      .map((point) => point.slice(0, POINT_CHARS))
      .slice(0, POINTS),
  );
const OutlineDraft = z.object({
  title,
  theme: lenientChoice(SlideTheme.options, { otherwise: 'plain' }),
  slides: z
    .array(
      z.object({
        layout: lenientChoice(SlideLayout.options, {
          aliases: {
            ...{ cover: 'title', content: 'bullets', text: 'bullets', end: 'closing' },
            ...{ 'two columns': 'two_columns', compare: 'comparison', versus: 'comparison' },
            ...{ numbers: 'big_number', steps: 'process', image: 'image_text', graph: 'chart' },
          },
          otherwise: 'bullets',
        }),
        title,
        points,
      }),
    )
    .min(1)
    .transform((slides) => slides.slice(0, SLIDE_COUNT.most)),
});

/** Something to change about an outline, in the words of the user. */
export interface OutlineChange {
  readonly before: Outline;
  readonly wish: string;
}

/** Throws `SKILL_MODEL_ANSWER`. */
export async function makeOutline(
  { task, material }: { readonly task: SlideTask; readonly material: Material },
  context: SkillContext,
  change: OutlineChange | null = null,
): Promise<Outline> {
  const { slideCount, theme, request } = task;
  const { pictures } = material;
  const job = [
    slideCount === null
      ? `As many slides as the request asks for. Where it says nothing of that, about ${DEFAULT_COUNT}, as the matter needs.`
      : `Exactly ${slideCount} slides, with title and closing.`,
    theme === null ? 'Choose the theme.' : `The theme is ${theme}.`,
    ...(pictures.length === 0 ? [] : [`Pictures of the workspace: ${pictures.join(', ')}.`]),
    ...(task.draws ? [DRAWS] : []),
    ...(pictures.length === 0 && !task.draws ? ['There are no pictures, so no image_text.'] : []),
    ...(change === null
      ? []
      : [
          `The outline so far:\n${changeText(change.before)}`,
          `The user wants this changed, and the rest kept:\n${change.wish}`,
        ]),
    'Write the outline.',
  ].join('\n\n');
  const parts = { system: OUTLINE_PROMPT, job, query: `${request}\n${change?.wish ?? ''}` };
  const prompt = await fittedPrompt(parts, { task, material }, context);
  const draft = await context.services.llm.askFor({
    ...{ ...prompt, tier: 'max' },
    schema: OutlineDraft,
  });
  return {
    title: draft.title,
    theme: theme ?? draft.theme,
    slides: tidied(draft.slides, { task, material, title: draft.title }),
  };
}

/** An outline as the user reads it. */
export function outlineText({ title: named, slides }: Outline): string {
  return [
    named,
    ...slides.flatMap(({ layout, title: own, points: said }, index) => [
      `${index + 1}. ${own} (${layout.replaceAll('_', ' ')})`,
      ...said.map((point) => `   - ${point}`),
    ]),
  ].join('\n');
}

/** An outline that is to be changed: of a long one, the titles alone. */
function changeText(outline: Outline): string {
  const text = outlineText(outline);
  if (text.length <= CHANGE_CHARS) return text;
  const slides = outline.slides.map((slide) => ({ ...slide, points: [] }));
  return outlineText({ ...outline, slides });
}

/** Title first, closing last, each title once, no more slides than asked for, and pictures only where there are some. */
function tidied(
  drafted: readonly OutlinedSlide[],
  parts: { readonly task: SlideTask; readonly material: Material; readonly title: string },
): OutlinedSlide[] {
  const { task, material } = parts;
  const most = task.slideCount ?? SLIDE_COUNT.most;
  const [first] = drafted;
  const isTitled = first?.layout === 'title';
  const all = isTitled
    ? drafted
    : [{ layout: 'title' as const, title: parts.title, points: [] }, ...drafted];
  // The last one stays: it closes.
  const kept = all.length <= most ? all : [...all.slice(0, most - 1), ...all.slice(-1)];
  const taken = new Set<string>();
  let pictures = material.pictures.length + (task.draws ? MOST_DRAWN : 0);
  return kept.map((slide, index) => {
    let { layout } = slide;
    if (layout === 'title' && index > 0) layout = 'section';
    if (layout === 'closing' && index < kept.length - 1) layout = 'bullets';
    // A picture of the workspace may be on several slides, a drawn one only on its own.
    if (layout === 'image_text' && pictures <= 0) layout = 'bullets';
    if (layout === 'image_text' && task.draws) pictures -= 1;
    let name = slide.title;
    for (let number = 2; taken.has(name.toLowerCase()); number += 1) {
      name = `${slide.title} (${number})`;
    }
    taken.add(name.toLowerCase());
    return { ...slide, layout, title: name };
  });
}
