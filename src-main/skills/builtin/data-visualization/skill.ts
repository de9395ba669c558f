import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { asData } from '../../as-data.ts';
import { type GraphStep, graphSkill, SKILL_DONE } from '../../graph-skill.ts';
import type { JsonObject, ProgramResult, Skill, SkillContext } from '../../types.ts';
import { DataProfile, findDataFiles, profileFiles } from '../data-analysis/data-profile.ts';
import { describeProfile } from '../data-analysis/describe-profile.ts';
import { metadata } from './metadata.ts';
import { pictureProblem } from './opened-picture.ts';

/** How often a program that failed, or drew nothing, goes back to the model. */
const REPAIRS = 2;
const DATA_PATH = 'charts/data.json';

const SYSTEM = [
  'You write a Python program that draws one chart and saves it.',
  '- Read files with `import sys; sys.path.insert(0, ".hyperagent"); from data_files import rows`, then `for row in rows("sales.csv")` (or `rows("book.xlsx", "Sheet1")`): each row is a dict by column with numbers, datetime.date (datetime.datetime in columns with times) and None, read as the profile says. Where the profile gives two readings of a column, take what the user said, with rows(…, notation={"column": ","}); else say in the explanation which reading is drawn.',
  '- Where matplotlib is listed as available: plt.savefig(PATH) of a PNG. Where it is not: `import sys; sys.path.insert(0, ".hyperagent"); import charts`: charts.bar(PATH, labels, values, title="", x="", y=""), charts.line (same; values may be a dict of lists by name), charts.scatter(PATH, xs, ys), charts.histogram(PATH, values, bins=20), charts.pie(PATH, labels, values), charts.box(PATH, {name: values}), charts.heatmap(PATH, xs, ys, values) with a list of values for each of ys; these write SVG.',
  '- Save to exactly the path that you are given. Title and axes say what is shown, with units. Print `points: N`, where N is the number of values drawn.',
  'code is the whole program, without fences. explanation is one or two sentences on what the chart shows and how the data was treated; it names no figures that you have not been given.',
].join('\n');

const Drawing = z.object({ code: z.string().min(1), explanation: z.string().min(1) });

const Given = z.object({
  request: z.string(),
  file: z.string().optional(),
  data: z.array(z.unknown()).optional(),
  chart_type: z.string(),
});

const Work = z.object({
  profile: DataProfile.nullable(),
  drawing: Drawing,
  path: z.string(),
  attempt: z.int(),
});

/** Why the chart is not done yet, for the model. */
interface Problem {
  readonly code: string;
  readonly text: string;
}

const write: GraphStep = {
  name: 'write',
  description: 'Writing the program for the chart',
  run: async ({ inputParams, work }, context) => {
    const given = Given.parse(inputParams);
    const before = Work.partial().parse(work);
    const profile = before.profile ?? (await profileOf(given, context));
    const canRun = given.file !== undefined || given.data !== undefined;
    const path =
      before.path ?? (await context.once('chart path', () => chartPath(given, profile, context)));
    const problem = work.problem as Problem | undefined;
    const { llm } = context.services;
    const room = await llm.materialChars({ system: SYSTEM, prompt: given.request });
    const drawing = await llm.askFor({
      system: SYSTEM,
      prompt: promptFor(given, { profile, path, room, problem: problem ?? null }),
      schema: Drawing,
    });
    const code = withoutFences(drawing.code);
    const found = { profile, path, attempt: (before.attempt ?? 0) + 1 };
    if (canRun) return { work: { ...found, drawing: { ...drawing, code } } };
    // Without data there is nothing to run it on: the program itself is the result.
    const { explanation } = drawing;
    return { output: output({ code, explanation }, null, null), next: SKILL_DONE };
  },
};

const draw: GraphStep = {
  name: 'draw',
  description: 'Drawing the chart',
  run: async ({ work }, context) => {
    const { drawing, path, attempt } = Work.parse(work);
    const result = await context.services.sandbox.run('python', drawing.code);
    const problem = await problemOf(result, path, context);
    if (problem === null) {
      const points = /^points:\s*(\d+)/im.exec(result.stdout)?.[1];
      return {
        output: output(drawing, path, points === undefined ? null : Number(points)),
        next: SKILL_DONE,
      };
    }
    if (attempt <= REPAIRS) {
      context.progress('The program drew no chart; fixing it');
      return { work: { problem: { code: drawing.code, text: problem } }, next: 'write' };
    }
    throw new AppError(
      'SKILL_MODEL_ANSWER',
      `The model wrote ${attempt} programs, and none of them drew the chart. The last one: ${problem}`,
    );
  },
};

function output(
  { code, explanation }: z.infer<typeof Drawing>,
  path: string | null,
  points: number | null,
): JsonObject {
  return { code, language: 'python', chart_path: path, explanation, data_points: points };
}

/** Profiles the file or the data; afterwards the modules that programs import are in the workspace. */
async function profileOf(
  { file, data }: z.infer<typeof Given>,
  context: SkillContext,
): Promise<DataProfile | null> {
  if (file === undefined && data === undefined) return null;
  if (data !== undefined && file === undefined) {
    await context.services.sandbox.writeFile(DATA_PATH, JSON.stringify(data));
  }
  return await profileFiles(await findDataFiles([file ?? DATA_PATH], context), context);
}

async function chartPath(
  { request }: z.infer<typeof Given>,
  profile: DataProfile | null,
  context: SkillContext,
): Promise<string> {
  const ending = profile === null || profile.packages.includes('matplotlib') ? 'png' : 'svg';
  const words = request.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const name = words.slice(0, 5).join('-').slice(0, 50) || 'chart';
  const files = await context.services.sandbox.listFiles();
  const taken = new Set(files.map(({ path }) => path));
  for (let number = 1; ; number += 1) {
    const path = `charts/${name}${number === 1 ? '' : `-${number}`}.${ending}`;
    if (!taken.has(path)) return path;
  }
}

function promptFor(
  { request, file, data, chart_type }: z.infer<typeof Given>,
  {
    profile,
    path,
    room,
    problem,
  }: {
    readonly profile: DataProfile | null;
    /** Characters available for material. */
    readonly room: number;
    readonly path: string;
    readonly problem: Problem | null;
  },
): string {
  const source = file ?? (data === undefined ? null : DATA_PATH);
  const packages = profile?.packages ?? [];
  return [
    `The request: ${request}`,
    `Kind of chart: ${chart_type === 'auto' ? 'the one that fits best' : chart_type}`,
    `PATH: ${path}`,
    source === null
      ? 'There is no data: read it from a file whose name the user can change at the top. matplotlib is available.'
      : `Data: ${source}. Available packages: ${packages.join(', ') || 'none'}.`,
    ...(profile === null
      ? []
      : [asData(describeProfile(profile, profileRoom(room)), 'profile of the file')]),
    ...(problem === null
      ? []
      : [
          `Your last program:\n${problem.code}`,
          asData(problem.text, 'its result'),
          'Fix it and give the whole program again.',
        ]),
  ].join('\n\n');
}

const PROFILE_CHARS = 10_000;

/** The previous program and its result need room too. */
function profileRoom(room: number): number {
  return Math.max(0, Math.min(PROFILE_CHARS, Math.floor(room / 2)));
}

const ERROR_CHARS = 2_000;

async function problemOf(
  { ok, isKnown, exitCode, stdout, stderr }: ProgramResult,
  path: string,
  context: SkillContext,
): Promise<string | null> {
  // Where the outcome is unknown, the picture itself decides.
  if (!ok && isKnown) {
    const output = (stderr.trim() || stdout.trim()).slice(-ERROR_CHARS);
    return `It ended with exit code ${exitCode}: ${output}`;
  }
  try {
    const problem = pictureProblem(path, await context.services.sandbox.readBytes(path));
    return problem === null ? null : `${path} does not open: ${problem}`;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'NOT_FOUND') throw error;
    return `It finished, but there is no file ${path}.`;
  }
}

function withoutFences(code: string): string {
  return /^\s*```\w*\n([\s\S]*?)\n?```\s*$/.exec(code)?.[1] ?? code;
}

export const skill: Skill = graphSkill(metadata, [write, draw]);
