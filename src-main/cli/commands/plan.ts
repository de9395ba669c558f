import { AppError } from '#contract/errors.ts';
import type { Plan, PlanDraftStep, PlanStepState } from '#contract/plans.ts';
import type { App } from '../../compose/app.ts';
import type { CliEnvironment } from '../environment.ts';
import { EXIT, UsageError } from '../exit-codes.ts';
import { openApp } from '../open-app.ts';
import { jsonLine, print } from '../output.ts';
import { BOXES, seconds } from '../plan-lines.ts';
import { plainTerminalText, showControls } from '../visible-text.ts';
import type { ReadFlags } from './runs.ts';

export interface EditFlags extends ReadFlags {
  readonly drop?: readonly string[];
  readonly move?: readonly string[];
  readonly add?: readonly string[];
  readonly rename?: readonly string[];
}

/** `hyperagent plan show`: the checklist of a run with its checks. */
export async function showPlan(
  runId: string,
  flags: ReadFlags,
  environment: CliEnvironment,
): Promise<number> {
  const { dataDir } = flags;
  await using app = await openApp(environment, { dataDir, attended: false, readOnly: true });
  const { plan } = app.api['plans.get']({ runId });
  if (flags.json) print(jsonLine(plan));
  else if (plan === null) print('This run has no plan.\n');
  else print(describePlan(plan));
  return EXIT.complete;
}

/** `hyperagent plan edit`: changes pending steps, even while another process runs the plan. */
export async function changePlan(
  runId: string,
  flags: EditFlags,
  environment: CliEnvironment,
): Promise<number> {
  await using app = await openSecondary(flags, environment);
  const { plan } = app.api['plans.get']({ runId });
  if (plan === null) throw new AppError('CONFLICT', 'This run has no plan.');
  const edit = { runId, revision: plan.revision, steps: editedSteps(plan, flags) };
  const { plan: changed } = app.api['plans.edit'](edit);
  print(flags.json ? jsonLine(changed) : describePlan(changed));
  return EXIT.complete;
}

/** Works alone or next to a process that runs the plan: that process reads the plan before each step. */
async function openSecondary({ dataDir }: ReadFlags, environment: CliEnvironment): Promise<App> {
  const options = { dataDir, attended: false, readOnly: false } as const;
  // Always a secondary process: editing a plan must not resume interrupted runs.
  return openApp(environment, { ...options, secondary: true });
}

/** The plan's steps with the flags applied in this order: drop, rename, move, add. */
export function editedSteps(plan: Plan, flags: EditFlags): PlanDraftStep[] {
  const { drop = [], rename = [], move = [], add = [] } = flags;
  if (drop.length + rename.length + move.length + add.length === 0) {
    throw new UsageError(
      'There is nothing to change. Use --drop ID, --move ID:POSITION, --add TITLE or --rename ID:TITLE.',
    );
  }
  let steps = plan.steps.map(({ id, title }): PlanDraftStep => ({ id, title }));
  const place = (id: string): number => {
    const index = steps.findIndex((step) => step.id === id);
    if (index === -1)
      throw new UsageError(
        `The plan has no step "${id}". List the steps with: hyperagent plan show`,
      );
    return index;
  };
  for (const id of drop) steps = steps.toSpliced(place(id), 1);
  for (const [id, title] of rename.map((text) => split(text, '--rename ID:TITLE'))) {
    steps = steps.with(place(id), { id, title });
  }
  for (const [id, position] of move.map((text) => split(text, '--move ID:POSITION'))) {
    const from = place(id);
    const to = Number(position);
    if (!/^\d+$/.test(position) || to < 1 || to > steps.length) {
      throw new UsageError(
        `--move ${id}:${position}: the position must be between 1 and ${steps.length}.`,
      );
    }
    const [step] = steps.slice(from, from + 1);
    if (step !== undefined) steps = steps.toSpliced(from, 1).toSpliced(to - 1, 0, step);
  }
  return [...steps, ...add.map((title) => ({ title }))];
}

function split(text: string, form: string): [string, string] {
  const colon = text.indexOf(':');
  const [id, rest] = [text.slice(0, Math.max(colon, 0)).trim(), text.slice(colon + 1).trim()];
  if (id === '' || rest === '') throw new UsageError(`"${text}" does not match ${form}.`);
  return [id, rest];
}

function describePlan({ revision, steps, replans }: Plan): string {
  const done = steps.filter(({ status }) => status === 'completed' || status === 'skipped').length;
  const made = replans === 0 ? '' : `, replanned ${replans === 1 ? 'once' : `${replans} times`}`;
  const head = `revision ${revision}, ${done} of ${steps.length} steps done${made}`;
  return `${[head, ...steps.flatMap(describeStep)].join('\n')}\n`;
}

function describeStep(step: PlanStepState): string[] {
  const { id, title, status, dependsOn, startedAt, endedAt, summary, facts } = step;
  const time = startedAt !== null && endedAt !== null ? ` (${seconds(endedAt - startedAt)})` : '';
  const needs = dependsOn.length === 0 ? '' : `  needs ${dependsOn.join(', ')}`;
  const line = `  ${BOXES[status]} ${id}  ${title}${time}${needs}`;
  return [
    showControls(line),
    ...(summary === ''
      ? []
      : [`        ${plainTerminalText(summary).trim().replaceAll('\n', '\n        ')}`]),
    ...facts.map(({ claim, holds, evidence }) =>
      showControls(
        `        ${holds ? '✓' : '✗'} ${claim}${evidence === '' ? '' : ` (${evidence})`}`,
      ),
    ),
  ];
}
