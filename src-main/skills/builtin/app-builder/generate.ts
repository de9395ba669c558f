import path from 'node:path/posix';
import { AppError } from '#contract/errors.ts';
import type { SkillContext, SkillPrompt } from '../../types.ts';
import { writeFile } from './app-tools.ts';
import { WRITE_PROMPT } from './prompts.ts';
import { readFiles } from './read-files.ts';
import { describeSources, packagesOf } from './sources.ts';
import type { AppPlan, BuiltApp, ChangedSources, Sources } from './types.ts';

export interface WriteJob {
  readonly request: string;
  readonly app: BuiltApp;
  readonly plan: AppPlan;
}

export interface WrittenFiles extends ChangedSources {
  /** In the order in which they were written. */
  readonly written: readonly string[];
  /** What could not be written, and why. */
  readonly notes: readonly string[];
}

/** Writes the planned files, one request each: a small model holds one file in mind. Throws `SKILL_MODEL_ANSWER`. */
export async function generateFiles(
  job: WriteJob,
  before: Sources,
  context: SkillContext,
): Promise<WrittenFiles> {
  const { app, plan } = job;
  let sources = before;
  let byUser: Sources = {};
  const written: string[] = [];
  const notes: string[] = [];
  for (const { path: file } of plan.files) {
    if (written.includes(file)) continue;
    context.progress(`Writing ${path.relative(app.folder, file)}`);
    const known = [...Object.keys(sources), ...plan.files.map((one) => one.path)];
    const names = { folder: app.folder, known, fromTemplate: app.template !== null };
    let hint = '';
    let problem: string | null = null;
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      const prompt = await promptFor(file, { job, sources, written, hint, context });
      const answer = await askMaybe({ system: WRITE_PROMPT, prompt }, context);
      const files = readFiles(answer, { ...names, unnamed: file });
      const content = files.get(file);
      if (content === undefined) {
        problem = `${path.relative(app.folder, file)} was not written: the model gave no such file. It said: ${answer.trim().slice(0, 160)}`;
        hint = `There was no ${path.relative(app.folder, file)} in your last answer. Answer with the whole file in one fenced block.`;
        continue;
      }
      const made = await writeFile({ path: file, content }, context);
      problem = made.problem;
      if (made.content !== null) sources = { ...sources, [file]: made.content };
      if (made.content !== null && made.isByUser) byUser = { ...byUser, [file]: made.content };
      if (problem !== null) {
        hint = `Your last answer was refused. ${problem}`;
        continue;
      }
      written.push(file);
      // What else of the plan came along.
      for (const [other, also] of files) {
        const isPlanned = plan.files.some((one) => one.path === other) && !written.includes(other);
        if (!isPlanned) continue;
        const added = await writeFile({ path: other, content: also }, context);
        if (added.content !== null) sources = { ...sources, [other]: added.content };
        if (added.content !== null && added.isByUser)
          byUser = { ...byUser, [other]: added.content };
        if (added.problem === null) written.push(other);
      }
      break;
    }
    if (problem !== null) notes.push(problem);
  }
  if (written.length > 0) return { sources, byUser, written, notes };
  throw new AppError(
    'SKILL_MODEL_ANSWER',
    `The model wrote no file of the app. ${notes[0] ?? ''} A larger model may do better.`,
  );
}

async function promptFor(
  file: string,
  parts: {
    readonly job: WriteJob;
    readonly sources: Sources;
    readonly written: readonly string[];
    readonly hint: string;
    readonly context: SkillContext;
  },
): Promise<string> {
  const { job, sources, written, hint, context } = parts;
  const { request, app, plan } = job;
  const name = (one: string): string => path.relative(app.folder, one);
  const list = plan.files.map((one) => `- ${name(one.path)}: ${one.purpose}`).join('\n');
  const fixed = [
    `The request:\n${request}`,
    `What the app must do:\n${plan.points.map((point) => `- ${point}`).join('\n')}`,
    `The files of the plan:\n${list}`,
    `Packages: ${packagesOf(sources, app).join(', ') || 'none'}.`,
  ].join('\n\n');
  const end = `Write ${name(file)}.${hint === '' ? '' : ` ${hint}`}`;
  const room = await context.services.llm.materialChars({
    system: WRITE_PROMPT,
    prompt: `${fixed}\n\n${end}`,
  });
  const first = [file, ...written.toReversed()];
  return [fixed, describeSources(sources, { app, first, room }), end].join('\n\n');
}

/** Empty where the model gives no usable answer. */
export async function askMaybe(
  request: SkillPrompt,
  { services: { llm } }: SkillContext,
): Promise<string> {
  try {
    return await llm.ask(request);
  } catch (error) {
    if (error instanceof AppError && error.code === 'SKILL_MODEL_ANSWER') return '';
    throw error;
  }
}
