import path from 'node:path/posix';
import { asData } from '../../as-data.ts';
import type { SkillContext } from '../../types.ts';
import { writeFile } from './app-tools.ts';
import { askMaybe } from './generate.ts';
import { REPAIR_PROMPT } from './prompts.ts';
import { readFiles } from './read-files.ts';
import { describeSources, packagesOf } from './sources.ts';
import type { AppState, BuiltApp, ChangedSources } from './types.ts';

export interface RepairJob {
  readonly request: string;
  readonly app: BuiltApp;
  readonly state: AppState;
  /** What was wrong after the attempt before, where that was taken back; else empty. The page's own words. */
  readonly lesson: string;
}

const TAKEN_BACK = 'Your last repair made it worse and was taken back.';

/** Lets the model repair what the state shows. Returns the files as they are then; null where nothing was changed. */
export async function repairApp(
  job: RepairJob,
  context: SkillContext,
): Promise<ChangedSources | null> {
  const { request, app, state, lesson } = job;
  const { sources, checked } = state;
  const place = checked.problems.find((problem) => problem.place !== null)?.place?.file;
  const fixed = [
    `The request:\n${request}`,
    asData(describeFaults(state), 'report of the check'),
    `Packages: ${packagesOf(sources, app).join(', ') || 'none'}.`,
    ...(lesson === '' ? [] : [TAKEN_BACK, asData(lesson, 'what was wrong then')]),
  ].join('\n\n');
  const { llm } = context.services;
  const room = await llm.materialChars({ system: REPAIR_PROMPT, prompt: fixed });
  const first = place === undefined ? [] : [place];
  const files = describeSources(sources, { app, first, room });
  const answer = await askMaybe({ system: REPAIR_PROMPT, prompt: `${fixed}\n\n${files}` }, context);
  const known = Object.keys(sources);
  const names = { folder: app.folder, known, fromTemplate: app.template !== null };
  const unnamed = place !== undefined && known.includes(place) ? place : null;
  const found = readFiles(answer, { ...names, unnamed });
  const changed: Record<string, string> = {};
  const byUser: Record<string, string> = {};
  for (const [file, content] of found) {
    if (sources[file] === content) continue;
    context.progress(`Repairing ${path.relative(app.folder, file)}`);
    // Whatever looks unfinished is no repair.
    const { content: now, isByUser } = await writeFile({ path: file, content }, context);
    if (now !== null) changed[file] = now;
    if (now !== null && isByUser) byUser[file] = now;
  }
  if (Object.keys(changed).length === 0) return null;
  return { sources: { ...sources, ...changed }, byUser };
}

/** What is wrong, the page's own problems first: tests that fail may fail for them. */
export function describeFaults({ checked, points }: AppState): string {
  const failed = points
    .filter(({ shown }) => !shown)
    .map(({ point, steps, evidence }) => {
      const taken = steps.map(({ action, name, value }) =>
        action === 'fill' ? `fill "${name}" with "${value}"` : `${action} "${name}"`,
      );
      const test = taken.length === 0 ? '' : ` The test: ${taken.join('; ')}.`;
      return `- ${point}\n  Not shown: ${evidence}${test}`;
    });
  const ofPage = checked.problems.length === 0 ? [] : [checked.report];
  const ofPoints =
    failed.length === 0 ? [] : [`What the app must do, and does not:\n${failed.join('\n')}`];
  const page = checked.problems.length === 0 ? [`The page shows: ${checked.text}`] : [];
  return [...ofPage, ...ofPoints, ...page].join('\n\n');
}
