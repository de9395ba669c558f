import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { type GraphStep, graphSkill } from '../../graph-skill.ts';
import type { LoopCall, Skill, SkillContext, SkillState } from '../../types.ts';
import { pictureProblem } from '../data-visualization/opened-picture.ts';
import { DataProfile, findDataFiles, profileFiles } from './data-profile.ts';
import { fileProblems } from './describe-profile.ts';
import { checkSummary, collectEvidence, describeUnverified, Summary } from './findings.ts';
import { metadata } from './metadata.ts';
import {
  type AnalysisTask,
  LOOP_SYSTEM,
  loopPrompt,
  PLAN_SYSTEM,
  planPrompt,
  SUMMARY_SYSTEM,
  summaryPrompt,
} from './prompts.ts';
import { analysedFile, renderReport } from './report.ts';

const Plan = z.object({
  steps: z.array(z.string().min(1)).min(1).max(10),
  charts: z.array(z.string()).max(10).default([]),
});

const WorkedCall = z.object({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  status: z.enum(['ok', 'error', 'denied', 'cancelled']),
  content: z.string(),
});
/** What each step passes to the next; all of it is JSON. */
const Work = z.object({
  profile: DataProfile,
  steps: z.array(z.string()),
  filesBefore: z.record(z.string(), z.number()),
  calls: z.array(WorkedCall),
  answer: z.string(),
});
const PlannedWork = Work.pick({ profile: true, steps: true, filesBefore: true });

function taskOf({ inputParams }: SkillState): AnalysisTask {
  const { request, output_language: language = '' } = inputParams;
  return { request: String(request), language: String(language) };
}

const plan: GraphStep = {
  name: 'plan',
  description: 'Looking at the data',
  run: async (state, context) => {
    const paths = await findDataFiles(state.inputParams.files, context);
    const profile = await profileFiles(paths, context);
    context.progress(`Planning the analysis of ${profile.files.length} files`);
    const task = taskOf(state);
    const room = await roomBeside(PLAN_SYSTEM, task, context);
    const { steps, charts } = await context.services.llm.askFor({
      system: PLAN_SYSTEM,
      prompt: planPrompt(task, profile, room),
      schema: Plan,
    });
    const filesBefore = await context.once('files before', () => sizesOfFiles(context));
    const all = [...steps, ...charts.map((chart) => `Chart: ${chart}`)];
    return { work: { profile, steps: all, filesBefore } };
  },
};

const codeLoop: GraphStep = {
  name: 'code_loop',
  description: 'Running programs on the data',
  run: async (state, context) => {
    const { profile, steps } = PlannedWork.parse(state.work);
    const tools = metadata.requiredTools;
    const task = taskOf(state);
    const room = await roomBeside(LOOP_SYSTEM, task, context);
    const prompt = loopPrompt(task, { profile, steps, tools, room });
    const calls: LoopCall[] = [];
    let answer = '';
    // A small model may answer without running anything; it is reminded once.
    for (const nudge of ['', '\n\nRun at least one program with execute_code before you answer.']) {
      const done = await loop(context, { prompt: `${prompt}${nudge}`, tools });
      calls.push(...done.calls);
      answer = done.answer;
      if (calls.some(({ name, status }) => name === 'execute_code' && status === 'ok')) {
        return { work: { calls, answer } };
      }
      // After a denial the user is not asked again.
      const denied = calls.find(({ status }) => status === 'denied');
      if (denied !== undefined) throw new AppError('TOOL_DENIED', denied.content);
    }
    throw new AppError(
      'SKILL_MODEL_ANSWER',
      `The model ran no program that worked, so there are no figures to report. It said: ${answer.trim().slice(0, 300)}`,
    );
  },
};

/** Characters of material that a request can hold beside its fixed text. */
function roomBeside(
  system: string,
  { request, language }: AnalysisTask,
  { services }: SkillContext,
): Promise<number> {
  return services.llm.materialChars({ system, prompt: `${request}\n${language}` });
}

async function loop(
  context: SkillContext,
  { prompt, tools }: { readonly prompt: string; readonly tools: readonly string[] },
) {
  const maxRounds = metadata.maxIterations;
  try {
    return await context.services.agents.loop({ system: LOOP_SYSTEM, prompt, tools, maxRounds });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'ROUND_LIMIT') throw error;
    throw new AppError(
      'SKILL_ITERATION_LIMIT',
      `The model was asked ${maxRounds} times and kept running programs without answering. Ask for less at once, or use a larger model.`,
      { cause: error },
    );
  }
}

const summarize: GraphStep = {
  name: 'summarize',
  description: 'Checking the figures and writing the report',
  run: async (state, context) => {
    const { profile, filesBefore, calls, answer } = Work.parse(state.work);
    const task = taskOf(state);
    const evidence = collectEvidence({ request: task.request, profile, calls });
    const room = await roomBeside(SUMMARY_SYSTEM, task, context);
    const prompt = summaryPrompt(task, { profile, calls, answer, room });
    const ask = (more = '') =>
      context.services.llm.askFor({
        system: SUMMARY_SYSTEM,
        prompt: `${prompt}${more}`,
        schema: Summary,
      });
    let checked = checkSummary(await ask(), evidence);
    if (checked.unverified.length > 0) {
      context.progress(`${checked.unverified.length} numbers could not be verified; asking again`);
      const revised = checkSummary(await ask(`\n\n${describeUnverified(checked)}`), evidence);
      if (revised.unverified.length < checked.unverified.length) checked = revised;
    }
    const { charts, broken } = await findCharts(filesBefore, context);
    const files = profile.files.map(analysedFile);
    const programs = calls.filter(({ name }) => name === 'execute_code');
    const report = renderReport({
      request: task.request,
      checked,
      charts,
      files,
      programs: programs.length,
    });
    const reportPath = await context.once('report path', () => freePath(context));
    await context.services.sandbox.writeFile(reportPath, report);
    return {
      output: {
        summary: checked.summary,
        findings: checked.findings,
        report,
        charts,
        files,
        report_path: reportPath,
        unverified_numbers: checked.unverified,
        notes: [
          ...profile.files.flatMap((file) =>
            fileProblems(file).map((problem) => `${file.path}: ${problem}`),
          ),
          ...broken,
        ],
        steps: programs.map(({ arguments: given, status }) => ({
          language: String(given.language ?? ''),
          code: String(given.code ?? '').slice(0, STEP_CHARS),
          ok: status === 'ok',
        })),
      },
    };
  },
};

const STEP_CHARS = 2_000;

async function sizesOfFiles(context: SkillContext): Promise<Record<string, number>> {
  const files = await context.services.sandbox.listFiles();
  return Object.fromEntries(files.map(({ path, size }) => [path, size]));
}

/** New or changed pictures that open; a sentence for each that does not. */
async function findCharts(
  before: Readonly<Record<string, number>>,
  context: SkillContext,
): Promise<{ readonly charts: string[]; readonly broken: string[] }> {
  const { sandbox } = context.services;
  const charts: string[] = [];
  const broken: string[] = [];
  for (const { path, size } of await sandbox.listFiles()) {
    if (!/\.(?:png|svg)$/i.test(path) || before[path] === size) continue;
    const problem = pictureProblem(path, await sandbox.readBytes(path));
    if (problem === null) charts.push(path);
    else broken.push(`The chart ${path} does not open: ${problem}`);
  }
  return { charts: charts.sort(), broken };
}

/** An unused file name for the report. */
async function freePath(context: SkillContext): Promise<string> {
  const files = new Set((await context.services.sandbox.listFiles()).map(({ path }) => path));
  for (let number = 1; ; number += 1) {
    const path = `data-analysis${number === 1 ? '' : `-${number}`}.md`;
    if (!files.has(path)) return path;
  }
}

export const skill: Skill = graphSkill(metadata, [plan, codeLoop, summarize]);
