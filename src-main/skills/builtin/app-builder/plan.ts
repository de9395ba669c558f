import path from 'node:path/posix';
import { z } from 'zod';
import { AppTemplate } from '#contract/apps.ts';
import { lenientChoice } from '../../lenient-choice.ts';
import { placeOf } from './read-files.ts';
import type { AppPlan, BuiltApp } from './types.ts';

const MOST_FILES = 12;
const MOST_POINTS = 6;

const text = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .transform((given) => given.slice(0, most));
const Files = z
  .array(z.object({ path: text(200), purpose: z.string().trim().max(1_000).default('') }))
  .min(1)
  .transform((files) => files.slice(0, MOST_FILES));
const Points = z
  .array(text(300))
  .min(1)
  .transform((points) => [...new Set(points)].slice(0, MOST_POINTS));

/** A new app, as a model plans it. */
export const NewApp = z.object({
  name: text(80),
  template: lenientChoice(AppTemplate.options, {
    aliases: {
      ...{ html: 'static', vanilla: 'static', javascript: 'static', node: 'express' },
      ...{ 'node.js': 'express', reactjs: 'react', 'vue.js': 'vue', typescript: 'react' },
    },
    otherwise: 'static',
  }),
  files: Files,
  points: Points,
});

/** A change of an app that is there. */
export const AppChange = z.object({
  is_new_app: z.boolean().default(false),
  files: Files,
  points: Points,
});

/**
 * The plan with paths of the workspace, each once, the main files of the template among them: without these the app
 * would stay the template.
 */
export function plannedFiles(
  files: AppPlan['files'],
  app: BuiltApp & { readonly known: readonly string[]; readonly mainFiles: readonly string[] },
): AppPlan['files'] {
  const { folder, template, known, mainFiles } = app;
  const names = { folder, known, fromTemplate: template !== null };
  const planned = new Map<string, string>();
  for (const { path: said, purpose } of files) {
    const place = placeOf(said, names);
    if (place !== null && path.extname(place) !== '') planned.set(place, purpose);
  }
  for (const main of mainFiles) {
    if (!planned.has(main)) planned.set(main, 'The app itself.');
  }
  return [...planned].map(([place, purpose]) => ({ path: place, purpose }));
}
