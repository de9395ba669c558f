import { AppError } from '#contract/errors.ts';
import { SlideTheme } from '#contract/slides.ts';
import type { JsonObject } from '../../types.ts';
import { metadata, SLIDE_COUNT } from './metadata.ts';
import type { SlideTask } from './types.ts';

/** The parameters as a task. Throws `SKILL_INPUT_INVALID` for a number of slides that cannot be made. */
export function taskOf(params: JsonObject): Omit<SlideTask, 'draws' | 'template'> {
  const { request, slide_count, theme, language, audience } = params;
  return {
    request: String(request).trim(),
    slideCount: slide_count === undefined ? null : countOf(slide_count),
    theme: theme === undefined ? null : SlideTheme.parse(theme),
    language: textOf(language),
    audience: textOf(audience),
  };
}

/** What every request says of the task, besides the request of the user. */
export function taskLines({
  language,
  audience,
}: Pick<SlideTask, 'language' | 'audience'>): string {
  return [
    `Language: ${language === '' ? 'that of the request' : language}`,
    ...(audience === '' ? [] : [`Audience: ${audience}`]),
  ].join('\n');
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : '';
}

function countOf(given: unknown): number {
  const count = Math.round(Number(given));
  const { least, most } = SLIDE_COUNT;
  if (count >= least && count <= most) return count;
  throw new AppError(
    'SKILL_INPUT_INVALID',
    `The parameters do not fit slide_generation: slide_count: must be from ${least} to ${most}.`,
    { details: { expectedParameters: metadata.parameters } },
  );
}
