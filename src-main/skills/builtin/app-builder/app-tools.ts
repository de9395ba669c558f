import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { safeParse } from '#contract/safe-parse.ts';
import type { JsonObject, SkillContext, ToolAnswer } from '../../types.ts';
import type { BuiltApp, ChangedSources, CheckedApp, Sources } from './types.ts';

const CreatedApp = z.object({
  folder: z.string(),
  files_created: z.array(z.string()),
  main_files: z.array(z.string()),
});
export type CreatedApp = z.infer<typeof CreatedApp>;
const ShownApp = z.object({
  folder: z.string().nullable(),
  template: z.string().nullish(),
  preview_url: z.string().nullish(),
});
const Checked = z.object({
  problems: z.array(
    z.object({
      kind: z.string(),
      message: z.string(),
      place: z.object({ file: z.string(), line: z.number() }).nullable(),
    }),
  ),
  passed: z.array(z.string()),
  text: z.string(),
});
/** A refusal of `app_write_file`, because the user changed the file. */
const OverUserEdit = z.object({ changed_by_user: z.literal(true) });
const FOLDERS_TRIED = 9;

/** A call of a tool; what the user does not allow ends the skill. Throws `TOOL_DENIED`. */
async function call(context: SkillContext, name: string, given: JsonObject): Promise<ToolAnswer> {
  const answer = await context.tools.call(name, given);
  if (answer.status === 'denied') throw new AppError('TOOL_DENIED', answer.content);
  return answer;
}

/** The app of the task, and where it is shown; null where there is none. */
export async function currentApp(
  context: SkillContext,
): Promise<(BuiltApp & { readonly previewUrl: string | null }) | null> {
  const { data } = await call(context, 'app_get_preview_url', {});
  const app = safeParse(ShownApp, data).data;
  if (app === undefined || app.folder === null) return null;
  return {
    ...{ folder: app.folder, template: app.template ?? null },
    previewUrl: app.preview_url ?? null,
  };
}

/** Writes a template into a folder that is free. Throws `SKILL_FAILED`. */
export async function createApp(
  wish: { readonly name: string; readonly template: string },
  context: SkillContext,
): Promise<CreatedApp> {
  let last = '';
  for (let number = 1; number <= FOLDERS_TRIED; number += 1) {
    const folder = number === 1 ? {} : { folder: `app-${number}` };
    const { ok, content, data } = await call(context, 'create_app_project', {
      ...wish,
      ...folder,
    });
    if (ok) return CreatedApp.parse(data);
    last = content;
    if (!content.includes('has files already')) break;
  }
  throw new AppError('SKILL_FAILED', `The app was not created. ${last}`);
}

/** What became of a file that was to be written. */
export interface FileWritten {
  /** Null, or why it was not written. */
  readonly problem: string | null;
  /** What is in the file, as far as it is known: what was written, or what the user made of it meanwhile. */
  readonly content: string | null;
  readonly isByUser: boolean;
}

/** Writes a file, unless the user changed it meanwhile: then theirs stays. */
export async function writeFile(
  file: { readonly path: string; readonly content: string },
  context: SkillContext,
): Promise<FileWritten> {
  const { ok, content, data } = await call(context, 'app_write_file', file);
  if (ok) return { problem: null, content: file.content, isByUser: false };
  const isByUser = safeParse(OverUserEdit, data).success;
  if (!isByUser) return { problem: content, content: null, isByUser };
  const now = await context.services.sandbox.readFile(file.path).catch((error: unknown) => {
    if (error instanceof AppError) return null;
    throw error;
  });
  return { problem: content, content: now, isByUser };
}

/**
 * Makes the files what they were. A file that came is emptied where nothing loads it by itself: deleting would ask the
 * user. Returns what the files are then: what the user changed meanwhile stays.
 */
export async function restore(
  { from, to }: { readonly from: Sources; readonly to: Sources },
  context: SkillContext,
): Promise<ChangedSources> {
  const now: Record<string, string> = { ...to };
  const byUser: Record<string, string> = {};
  for (const [path, content] of Object.entries(from)) {
    if (to[path] === undefined) now[path] = EMPTY[path.split('.').at(-1) ?? ''] ?? content;
  }
  for (const [path, content] of Object.entries(now)) {
    if (from[path] === content) continue;
    const first = await writeFile({ path, content }, context);
    // A write that looks unfinished is refused once.
    const isAgain = first.problem !== null && !first.isByUser;
    const last = isAgain ? await writeFile({ path, content }, context) : first;
    if (!last.isByUser) continue;
    if (last.content === null) delete now[path];
    else now[path] = byUser[path] = last.content;
  }
  return { sources: now, byUser };
}

const EMPTY: Readonly<Record<string, string>> = {
  ...{ ts: 'export {};\n', tsx: 'export {};\n', js: 'export {};\n', jsx: 'export {};\n' },
  css: '\n',
};

/** Starts the server, or starts it again. Returns null, or why it does not run. */
export async function startServer(
  { folder, restart }: { readonly folder: string; readonly restart: boolean },
  context: SkillContext,
): Promise<string | null> {
  const given = restart ? { folder, restart } : { folder };
  const { ok, content } = await call(context, 'app_start_server', given);
  return ok ? null : content;
}

/** Checks the app with these steps. Returns why it could not be checked, where it could not. */
export async function checkApp(
  context: SkillContext,
  steps: readonly Readonly<Record<string, string>>[] = [],
): Promise<(CheckedApp & { readonly passed: readonly string[] }) | string> {
  const given = steps.length === 0 ? {} : { steps };
  const { content, data } = await call(context, 'app_check', given);
  const checked = safeParse(Checked, data).data;
  return checked === undefined ? content : { ...checked, report: content };
}
