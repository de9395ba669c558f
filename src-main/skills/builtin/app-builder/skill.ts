import path from 'node:path/posix';
import { AppError } from '#contract/errors.ts';
import { asData } from '../../as-data.ts';
import { graphSkill, type SkillStepResult } from '../../graph-skill.ts';
import type { JsonObject, SkillContext, SkillState } from '../../types.ts';
import { checkApp, createApp, currentApp, restore, startServer } from './app-tools.ts';
import { generateFiles } from './generate.ts';
import { compareStates, faultsOf, isShown } from './judge.ts';
import { metadata } from './metadata.ts';
import { AppChange, NewApp, plannedFiles } from './plan.ts';
import { CHANGE_PROMPT, PLAN_PROMPT, TEST_PROMPT } from './prompts.ts';
import { repairApp } from './repair.ts';
import { describeSources, readSources } from './sources.ts';
import { DraftedTests, stepsOf, testPoint } from './tests.ts';
import type { AppPlan, AppState, BuiltApp, ChangedSources, Sources, TestedPoint } from './types.ts';

/** Repairs of the page, and again of what the tests find. */
const REPAIRS = 3;
const SUMMARY_POINT_CHARS = 200;

/** What each step passes to the next. */
interface Work extends JsonObject {
  /** Null until a new app has its folder. */
  readonly app: BuiltApp | null;
  readonly draft: { readonly name: string; readonly template: string } | null;
  readonly plan: AppPlan;
  readonly sources: Sources;
  /** What the user changed meanwhile; absent in the work of older versions. */
  readonly byUser?: Sources;
  readonly written: readonly string[];
  readonly notes: readonly string[];
  /** The best state so far, which is what stands when it ends; null before the first check. */
  readonly best: AppState | null;
  readonly isTested: boolean;
  readonly isRevised: boolean;
  readonly repairs: number;
  readonly repairsLeft: number;
  /** What was wrong after the last repair, if that was taken back; else empty. */
  readonly lesson: string;
}

interface Built extends Work {
  readonly app: BuiltApp;
}

const workOf = ({ work }: SkillState): Work => work as Work;
const builtOf = ({ work }: SkillState): Built => work as Built;
const requestOf = ({ inputParams }: SkillState): string => String(inputParams.description);

/** Builds a web app or changes it, until a check finds nothing and tests show what it must do. */
export const skill = graphSkill(metadata, [
  { name: 'plan', description: 'Planning the app', run: plan },
  { name: 'scaffold', description: 'Writing the template', run: scaffold },
  { name: 'generate', description: 'Writing the files', run: generate },
  { name: 'start', description: 'Starting the server', run: start },
  { name: 'check', description: 'Checking the app', run: check },
  { name: 'repair', description: 'Repairing what was found', run: repair },
  { name: 'test', description: 'Testing what the app must do', run: test },
  { name: 'finalize', description: 'Summing up', run: finalize },
]);

async function plan(state: SkillState, context: SkillContext): Promise<SkillStepResult> {
  const request = requestOf(state);
  const { llm } = context.services;
  const start = {
    ...{ written: [], notes: [], best: null, isTested: false, isRevised: false, repairs: 0 },
    ...{ repairsLeft: REPAIRS, lesson: '' },
  };
  const app = await currentApp(context);
  const asked = `The request:\n${request}`;
  if (app !== null) {
    const { folder, template } = app;
    const sources = await readSources(folder, context);
    const room = await llm.materialChars({ system: CHANGE_PROMPT, prompt: asked });
    const files = describeSources(sources, { app, first: [], room });
    const change = await llm.askFor({
      ...{ system: CHANGE_PROMPT, prompt: `${asked}\n\n${files}`, tier: 'max' },
      schema: AppChange,
    });
    if (!change.is_new_app && Object.keys(sources).length > 0) {
      const known = Object.keys(sources);
      const planned = plannedFiles(change.files, { folder, template, known, mainFiles: [] });
      const name = path.basename(folder) || 'App';
      const work: Work = {
        ...{ ...start, app: { folder, template }, draft: null, sources },
        plan: { name, files: planned, points: change.points },
      };
      return { work };
    }
  }
  const chosen = String(state.inputParams.template ?? 'auto');
  const wish = chosen === 'auto' ? '' : `\n\nThe template is ${chosen}.`;
  const draft = await llm.askFor({
    ...{ system: PLAN_PROMPT, prompt: `${asked}${wish}`, tier: 'max' },
    schema: NewApp,
  });
  const template = chosen === 'auto' ? draft.template : chosen;
  const work: Work = {
    ...{ ...start, app: null, draft: { name: draft.name, template }, sources: {} },
    plan: { name: draft.name, files: draft.files, points: draft.points },
  };
  return { work };
}

async function scaffold(state: SkillState, context: SkillContext): Promise<SkillStepResult> {
  const { draft, plan: planned } = workOf(state);
  if (draft === null) return {};
  const created = await createApp(draft, context);
  const app: BuiltApp = { folder: created.folder, template: draft.template };
  const sources = await readSources(app.folder, context);
  const files = plannedFiles(planned.files, {
    ...{ ...app, known: created.files_created, mainFiles: created.main_files },
  });
  return { work: { app, sources, plan: { ...planned, files }, written: created.files_created } };
}

async function generate(state: SkillState, context: SkillContext): Promise<SkillStepResult> {
  const { app, plan: planned, sources, byUser, written, notes } = builtOf(state);
  const job = { request: requestOf(state), app, plan: planned };
  const made = await generateFiles(job, sources, context);
  return {
    work: {
      sources: made.sources,
      byUser: mineAfter(byUser, made),
      written: [...new Set([...written, ...made.written])],
      notes: [...notes, ...made.notes],
    },
  };
}

async function start(state: SkillState, context: SkillContext): Promise<SkillStepResult> {
  const { app } = builtOf(state);
  // Whatever is wrong with it, the check says with its place.
  await startServer({ folder: app.folder, restart: false }, context);
  return {};
}

/**
 * Judges the files as they are now. What is worse than the best state is taken back, so that it never stands at the
 * end; what the user changed meanwhile stays, whatever it does. Goes on to a repair while there is something to repair,
 * then to the tests, then to the end.
 */
async function check(state: SkillState, context: SkillContext): Promise<SkillStepResult> {
  const { sources, byUser, best, isTested, notes } = builtOf(state);
  const checked = await checkApp(context);
  if (typeof checked === 'string') {
    return { work: { notes: [...notes, `The app was not checked. ${checked}`] }, next: 'finalize' };
  }
  const tests = isTested ? (best?.points ?? []) : [];
  const points = await testAll(
    tests,
    { isShown: isShown(checked), opening: checked.text },
    context,
  );
  const now: AppState = { sources, checked, points };
  if (best === null || compareStates(now, best) >= 0) return judged(state, now, '');
  const to = { ...best.sources, ...byUser };
  const back = await restore({ from: sources, to }, context);
  // Where nothing was taken back, because it is the user's, what was found holds.
  const isSame = Object.entries(sources).every(([file, text]) => back.sources[file] === text);
  const stands = { ...(isSame ? now : best), sources: back.sources };
  const next = judged(state, stands, isSame ? '' : firstFault(now));
  return { ...next, work: { ...next.work, byUser: { ...byUser, ...back.byUser } } };
}

/** What is the user's after these writes: what the model wrote with their text in sight is not. */
function mineAfter(before: Sources | undefined, { sources, byUser }: ChangedSources): Sources {
  const kept = Object.entries(before ?? {}).filter(([file, text]) => sources[file] === text);
  return { ...Object.fromEntries(kept), ...byUser };
}

/** Where it goes on from a state that stands. */
function judged(state: SkillState, best: AppState, lesson: string): SkillStepResult {
  const { isTested, isRevised, repairsLeft } = builtOf(state);
  const work = { best, sources: best.sources, lesson };
  if (isTested && !isRevised && best.points.some(({ shown }) => !shown) && isShown(best.checked)) {
    // A test may be wrong itself: it is looked at once before the app is changed for it.
    return { work, next: 'test' };
  }
  // What three repairs left on the page stays; then only points are repaired for.
  const faults = isTested ? best.points.filter(({ shown }) => !shown).length : faultsOf(best);
  if (faults > 0 && repairsLeft > 0) return { work, next: 'repair' };
  return { work, next: isTested || !isShown(best.checked) ? 'finalize' : 'test' };
}

async function repair(state: SkillState, context: SkillContext): Promise<SkillStepResult> {
  const { app, best, byUser, repairs, repairsLeft, lesson, written, isTested } = builtOf(state);
  if (best === null) return { next: 'finalize' };
  const isDown = best.checked.problems.some(({ kind }) => kind === 'server');
  const job = { request: requestOf(state), app, state: best, lesson };
  const repaired = await repairApp(job, context);
  if (repaired === null) {
    const isOver = isTested || !isShown(best.checked);
    return { work: { repairsLeft: 0 }, next: isOver ? 'finalize' : 'test' };
  }
  // One that crashed does not come back by itself.
  if (isDown) await startServer({ folder: app.folder, restart: true }, context);
  const { sources } = repaired;
  return {
    work: {
      sources,
      byUser: mineAfter(byUser, repaired),
      written: [
        ...new Set([
          ...written,
          ...Object.keys(sources).filter((file) => sources[file] !== best.sources[file]),
        ]),
      ],
      ...{ repairs: repairs + 1, repairsLeft: repairsLeft - 1 },
    },
    next: 'check',
  };
}

/** Writes the tests of the points, or again those that failed, and runs them. */
async function test(state: SkillState, context: SkillContext): Promise<SkillStepResult> {
  const { app, plan: planned, best, isTested } = builtOf(state);
  if (best === null) return { next: 'finalize' };
  const { points } = planned;
  const failed = best.points.filter(({ shown }) => !shown);
  const fixed = [
    `What the app must do:\n${points.map((point, index) => `${index + 1}. ${point}`).join('\n')}`,
    ...(failed.length === 0 ? [] : [asData(failedTests(failed, points), 'tests that failed')]),
    asData(best.checked.text, 'the page as it opens'),
  ].join('\n\n');
  const { llm } = context.services;
  const room = await llm.materialChars({ system: TEST_PROMPT, prompt: fixed });
  const files = describeSources(best.sources, { app, first: [], room });
  const prompt = `${fixed}\n\n${files}`;
  // Without tests the app is still there.
  const drafted = await llm
    .askFor({ system: TEST_PROMPT, prompt, schema: DraftedTests })
    .catch(noModelAnswer);
  const steps = stepsOf(drafted ?? { tests: [] }, points);
  const tests = points.map((point, index): TestedPoint => {
    const before = best.points.find((one) => one.point === point);
    const again = steps[index] ?? [];
    if (before !== undefined && (before.shown || again.length === 0)) return before;
    return { point, steps: again, shown: false, evidence: 'It has no test.' };
  });
  const todo = tests.filter(({ shown }) => !shown);
  const opening = best.checked.text;
  const run = await testAll(todo, { isShown: true, opening }, context);
  const now = tests.map((one) => run.find(({ point }) => point === one.point) ?? one);
  const work = {
    isTested: true,
    isRevised: isTested,
    ...(isTested ? {} : { repairsLeft: REPAIRS }),
  };
  const next = judged({ ...state, work: { ...state.work, ...work } }, { ...best, points: now }, '');
  return { ...next, work: { ...work, ...next.work } };
}

function noModelAnswer(error: unknown): null {
  if (error instanceof AppError && error.code === 'SKILL_MODEL_ANSWER') return null;
  throw error;
}

function failedTests(failed: readonly TestedPoint[], points: readonly string[]): string {
  return failed
    .map(({ point, steps, evidence }) => {
      const taken = steps.map(({ action, name }) => `${action} "${name}"`).join('; ');
      return `${points.indexOf(point) + 1}. ${taken}: ${evidence}`;
    })
    .join('\n');
}

/** One after the other: each opens the page. Nothing is shown by a page that is not there. */
async function testAll(
  tests: readonly TestedPoint[],
  { isShown: isThere, opening }: { readonly isShown: boolean; readonly opening: string },
  context: SkillContext,
): Promise<TestedPoint[]> {
  const run: TestedPoint[] = [];
  for (const { point, steps } of tests) {
    const none = { point, steps, shown: false, evidence: 'The page of the app does not open.' };
    run.push(isThere ? await testPoint(point, { steps, opening }, context) : none);
  }
  return run;
}

function firstFault({ checked, points }: AppState): string {
  const failed = points.find(({ shown }) => !shown);
  return checked.problems[0]?.message ?? failed?.evidence ?? '';
}

async function finalize(state: SkillState, context: SkillContext): Promise<SkillStepResult> {
  const { app, plan: planned, best, notes, repairs, written } = builtOf(state);
  const current = await currentApp(context);
  const previewUrl = current?.previewUrl ?? null;
  const tested = best?.points ?? [];
  const points = planned.points.map((point) => {
    const found = tested.find((one) => one.point === point);
    const why = best === null ? 'The app was not checked.' : 'The page of the app does not open.';
    return { point, shown: found?.shown ?? false, evidence: found?.evidence ?? why };
  });
  const problems = (best?.checked.problems ?? []).map(({ kind, message, place }) => ({
    ...{ kind, message, file: place?.file ?? null, line: place?.line ?? null },
  }));
  return {
    output: {
      summary: summaryOf({ name: planned.name, app, previewUrl, points, problems }),
      preview_url: previewUrl,
      ...{ folder: app.folder, template: app.template, files_created: written },
      ...{ points, problems, repairs, notes },
    },
  };
}

function summaryOf({
  name,
  app,
  previewUrl,
  points,
  problems,
}: {
  readonly name: string;
  readonly app: BuiltApp;
  readonly previewUrl: string | null;
  readonly points: readonly { readonly point: string; readonly shown: boolean }[];
  readonly problems: readonly unknown[];
}): string {
  const missing = points.filter(({ shown }) => !shown);
  const runs = previewUrl === null ? 'It does not run.' : 'It runs, in the App tab.';
  const shown = `Tests showed ${points.length - missing.length} of the ${points.length} things that it must do.`;
  const open = missing.map(({ point }) => point.slice(0, SUMMARY_POINT_CHARS)).join('; ');
  return [
    `${name}${app.template === null ? '' : ` (${app.template})`}, in ${app.folder || '/workspace'}.`,
    runs,
    shown,
    ...(missing.length === 0 ? [] : [`Not shown: ${open}.`]),
    ...(problems.length === 0 ? [] : [`A check still finds ${problems.length} problems.`]),
  ].join(' ');
}
