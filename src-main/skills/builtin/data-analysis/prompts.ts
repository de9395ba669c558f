import { asData } from '../../as-data.ts';
import type { LoopCall } from '../../types.ts';
import type { DataProfile } from './data-profile.ts';
import { describeProfile } from './describe-profile.ts';

/** Characters of a profile for a model with a large context window. */
const PROFILE_CHARS = 10_000;
/** Characters of program output in the summary request. */
const OUTPUT_CHARS = 16_000;
/** Share of the room beside the fixed text that a profile may take where other material must fit too. */
const PROFILE_SHARE = 0.4;
/** Characters of the marks around data. */
const FRAME_CHARS = 600;
const OUTPUT_OF_ONE_CHARS = 4_000;

export const PLAN_SYSTEM = [
  'You plan the analysis of data. You are given what the user wants and a profile of the files, made by a program: its figures are exact.',
  'Give 1 to 6 short steps, each something that one Python program can compute, and at most 3 charts. Heed the warnings of the profile: missing values, mixed types, several date formats, total rows. Plan nothing that was not asked for.',
].join('\n');

export const LOOP_SYSTEM = [
  'You analyse data by running programs with execute_code. You never estimate or recall a figure: each one is printed by a program.',
  '- Programs are Python and start in the workspace, each from scratch. Print every figure that the answer needs, with a label, rounded as it should be reported; print shares, differences and averages too, and not the rows of the data.',
  '- Read files with `import sys; sys.path.insert(0, ".hyperagent"); from data_files import rows`, then `for row in rows("sales.csv")` (or `rows("book.xlsx", "Sheet1")`, `rows("shop.sqlite", "orders")`): each row is a dict by column with numbers, datetime.date (datetime.datetime in columns with times) and None, read as the profile says. Values of mixed columns may be text: check the type. Times written with an offset have tzinfo. It works for files of a million rows. Use pandas only where it is listed as available.',
  '- Save charts into charts/. With matplotlib: PNG, plt.savefig("charts/name.png"). Without: `import charts` from .hyperagent: charts.bar("charts/name.svg", labels, values, title="", x="", y=""), charts.line (same), charts.scatter(path, xs, ys), charts.histogram(path, values, bins=20), charts.pie(path, labels, values), charts.box(path, {name: values}), charts.heatmap(path, xs, ys, rows of values).',
  '- Where the profile gives two readings of a column (1.234 as 1234, 03/04 as March or April), nothing in the data decides: take what the user said, with rows(…, notation={"column": ","}), else give the figures of both readings and say so.',
  '- When a program fails, read the error and fix it. When the figures are printed, answer in a few sentences with what was found. Say so where the data cannot answer.',
].join('\n');

export const SUMMARY_SYSTEM = [
  'You report what an analysis of data found. Use only figures from the profile or from the output of the programs; round them if you like, and compute none yourself: they are checked one by one.',
  'summary: two to four sentences that answer what was asked. findings: 1 to 8 statements, each one sentence with its figures. Leave out what was not found.',
].join('\n');

export interface AnalysisTask {
  readonly request: string;
  /** Empty for the language of the request. */
  readonly language: string;
}

/** `room` is in characters: what is left beside the fixed text of every request. */
export function planPrompt(task: AnalysisTask, profile: DataProfile, room: number): string {
  return [wanted(task), theProfile(profile, room - FRAME_CHARS)].join('\n\n');
}

export function loopPrompt(
  task: AnalysisTask,
  {
    profile,
    steps,
    tools,
    room,
  }: {
    readonly profile: DataProfile;
    readonly room: number;
    readonly steps: readonly string[];
    readonly tools: readonly string[];
  },
): string {
  const packages = profile.packages.length === 0 ? 'none' : profile.packages.join(', ');
  const others = tools.filter((name) => name !== 'execute_code');
  return [
    wanted(task),
    `Plan:\n${steps.map((step, index) => `${index + 1}. ${step}`).join('\n')}`,
    `Python ${profile.python}; available data packages: ${packages}. Other tools: ${others.join(', ')}.`,
    theProfile(profile, room * PROFILE_SHARE),
  ].join('\n\n');
}

export function summaryPrompt(
  task: AnalysisTask,
  {
    profile,
    calls,
    answer,
    room,
  }: {
    readonly profile: DataProfile;
    readonly room: number;
    readonly calls: readonly LoopCall[];
    readonly answer: string;
  },
): string {
  const about = theProfile(profile, room * PROFILE_SHARE);
  const conclusion = answer.slice(0, Math.max(200, room * 0.15));
  const left = room - about.length - conclusion.length - FRAME_CHARS;
  return [
    wanted(task),
    about,
    asData(outputsText(calls, left), 'output of the programs'),
    `The conclusion from it:\n${conclusion}`,
  ].join('\n\n');
}

/** Fills the room from the newest output back, since the figures that count come last; keeps the order. */
function outputsText(calls: readonly LoopCall[], room: number): string {
  const shown: string[] = [];
  let left = Math.min(OUTPUT_CHARS, room);
  for (const { name, status, content } of calls.toReversed()) {
    if (status !== 'ok' || left <= 0) continue;
    const text = content.slice(0, Math.min(left, OUTPUT_OF_ONE_CHARS));
    shown.unshift(`${name}:\n${text}`);
    left -= text.length;
  }
  return shown.join('\n\n');
}

function wanted({ request, language }: AnalysisTask): string {
  const written = language === '' ? 'the language of the request' : language;
  return `The request:\n${request}\n\nWrite in ${written}.`;
}

function theProfile(profile: DataProfile, room: number): string {
  const most = Math.max(0, Math.min(PROFILE_CHARS, Math.floor(room)));
  const text =
    profile.files.length === 0 ? 'There are no data files.' : describeProfile(profile, most);
  return asData(text, 'profile of the files');
}
