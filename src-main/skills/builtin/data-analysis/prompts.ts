import { asData } from '../../as-data.ts';
import type { LoopCall } from '../../types.ts';
import type { DataProfile } from './data-profile.ts';
import { describeProfile } from './describe-profile.ts';

/** Of a profile, for a model with a large window. */
const PROFILE_CHARS = 10_000;
/** Of what programs printed, for the summary. */
const OUTPUT_CHARS = 16_000;
/** Of the room beside the fixed words, what a profile may take where more must find a place. */
const PROFILE_SHARE = 0.4;
/** What the marks around data take. */
const FRAME_CHARS = 600;
const OUTPUT_OF_ONE_CHARS = 4_000;

export const PLAN_SYSTEM = [
  'You plan the analysis of data. You are given what the person wants and a profile of the files, made by a program: its figures are exact.',
  'Give 1 to 6 short steps, each something that one Python program can compute, and at most 3 charts. Mind what the profile warns of: missing values, mixed types, several date formats, total rows. Plan nothing that was not asked for.',
].join('\n');

export const LOOP_SYSTEM = [
  'You analyse data by running programs with execute_code. You never estimate or recall a figure: each one is printed by a program.',
  '- Programs are Python and start in the workspace, each anew. Print every figure that the answer needs, with a label, rounded as it should be told; print shares, differences and averages too, and not the rows of the data.',
  '- Read files with `import sys; sys.path.insert(0, ".hyperagent"); from data_files import rows`, then `for row in rows("sales.csv")` (or `rows("book.xlsx", "Sheet1")`, `rows("shop.sqlite", "orders")`): each row is a dict by column with numbers, datetime.date (datetime.datetime in columns with times) and None, read as the profile says. Values of mixed columns may be text: check the type. It works for files of a million rows. pandas only where it is said to be there.',
  '- Save charts into charts/. With matplotlib: PNG, plt.savefig("charts/name.png"). Without: `import charts` from .hyperagent: charts.bar("charts/name.svg", labels, values, title="", x="", y=""), charts.line (same), charts.scatter(path, xs, ys), charts.histogram(path, values, bins=20).',
  '- When a program fails, read the error and mend it. When the figures are printed, answer in a few sentences with what was found. Say so where the data cannot answer.',
].join('\n');

export const SUMMARY_SYSTEM = [
  'You report what an analysis of data found. Use only figures that stand in the profile or in the output of the programs; round them if you like, and compute none yourself: they are checked one by one.',
  'summary: two to four sentences that answer what was asked. findings: 1 to 8 statements, each one sentence with its figures. Leave out what was not found.',
].join('\n');

export interface AnalysisTask {
  readonly request: string;
  /** Empty for that of the request. */
  readonly language: string;
}

/** `room` is in characters: what there is beside the words that stand in every request. */
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
    `Python ${profile.python}; packages for data that are there: ${packages}. Other tools: ${others.join(', ')}.`,
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
  const concluded = answer.slice(0, Math.max(200, room * 0.15));
  const left = room - about.length - concluded.length - FRAME_CHARS;
  return [
    wanted(task),
    about,
    asData(outputsText(calls, left), 'output of the programs'),
    `What was concluded from it:\n${concluded}`,
  ].join('\n\n');
}

/** The newest outputs first fill the room, since the figures that count come last; the order stays. */
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
  const tongue = language === '' ? 'the language in which it is wanted' : language;
  return `What is wanted:\n${request}\n\nWrite in ${tongue}.`;
}

function theProfile(profile: DataProfile, room: number): string {
  const most = Math.max(0, Math.min(PROFILE_CHARS, Math.floor(room)));
  const text =
    profile.files.length === 0 ? 'There are no data files.' : describeProfile(profile, most);
  return asData(text, 'profile of the files');
}
