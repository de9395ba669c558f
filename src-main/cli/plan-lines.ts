import type { RunEvent, RunEventOf } from '#contract/events/run-event.ts';
import type { Fact, StepStatus } from '#contract/plans.ts';
import type { Route } from '#contract/vocabulary.ts';
import type { Style } from './style.ts';
import { plainTerminalText, showControls } from './visible-text.ts';

const PLAN_TYPES = [
  'routing',
  'handoff',
  'plan_overview',
  'plan_step',
  'plan_step_completed',
  'verification',
  'parallel_start',
] as const;
export type PlanEvent = RunEventOf<(typeof PLAN_TYPES)[number]>;

const ROUTES: Readonly<Record<Route, string>> = {
  simple: 'done directly',
  complex: 'planned in steps',
  research: 'researched',
  uncertain: 'started directly, may be planned or researched',
};
const VERDICTS = { verified: 'verified', unverified: 'not verified', failed: 'check failed' };
export const BOXES: Readonly<Record<StepStatus, string>> = {
  pending: '[ ]',
  running: '[~]',
  completed: '[x]',
  failed: '[!]',
  skipped: '[-]',
};

/** Formats the plan events of a run as lines: checklist with ids, steps, checks, handoffs. */
export class PlanLines {
  readonly #style: Style;
  readonly #titles = new Map<string, string>();
  readonly #done = new Map<string, StepStatus>();
  /** Failed facts of the newest check, by step; '' is the whole answer. */
  readonly #unproven = new Map<string, readonly Fact[]>();

  constructor(style: Style) {
    this.#style = style;
  }

  /** The lines for an event; often none. */
  of(event: PlanEvent): string[] {
    switch (event.type) {
      case 'routing':
        return [this.#dim(`· ${ROUTES[event.route]} (${event.agent}): ${event.reason}`)];
      case 'handoff':
        return this.#handoff(event);
      case 'plan_overview':
        return this.#overview(event);
      case 'plan_step':
        return this.#step(event);
      case 'plan_step_completed':
        return this.#stepEnd(event);
      case 'verification':
        return this.#verification(event);
      case 'parallel_start': {
        const known = event.taskIds.filter((id) => this.#titles.has(id));
        const ids = known.length === 0 ? '' : ` (${known.join(', ')})`;
        return [this.#dim(`∥ ${event.title}${ids}`)];
      }
    }
  }

  /** Label of the step that a call belongs to; empty without a step. */
  mark(stepId: string | undefined): string {
    return stepId === undefined ? '' : `${this.#dim(`[${stepId}]`)} `;
  }

  /** The claims of an unverified answer that have no evidence, except those the answer itself names. */
  end({ outcome, answer }: RunEventOf<'complete'>): string[] {
    if (outcome !== 'unverified') return [];
    const whole = this.#unproven.get('') ?? [];
    const all = whole.length > 0 ? whole : [...this.#unproven.values()].flat();
    const facts = all.filter(({ claim }) => !answer.includes(claim));
    const head = this.#style.yellow(
      facts.length === 0 ? 'Not verified.' : 'Not verified. Claims without evidence:',
    );
    return [head, ...this.#facts(facts)];
  }

  #handoff({ from, to, task, artifacts }: RunEventOf<'handoff'>): string[] {
    const head = `→ ${from} hands over to ${to}: ${task}`;
    const files = artifacts.length === 0 ? [] : [`    with ${artifacts.join(', ')}`];
    return [head, ...files].map((line) => this.#dim(line));
  }

  #overview({ revision, steps, reason }: RunEventOf<'plan_overview'>): string[] {
    // Failed checks of steps that the new plan dropped no longer matter.
    const ids = new Set(steps.map(({ id }) => id));
    for (const id of this.#titles.keys()) if (!ids.has(id)) this.#unproven.delete(id);
    for (const { id, title } of steps) this.#titles.set(id, title);
    const name = revision === 0 ? 'Plan' : `Plan, revision ${revision}`;
    const why = reason === undefined ? '' : `: ${firstLine(reason)}`;
    return [
      `${this.#style.bold(name)}${showControls(why)}`,
      ...steps.map(({ id, title, dependsOn }) => {
        const needs = dependsOn.length === 0 ? '' : this.#dim(` (needs ${dependsOn.join(', ')})`);
        const box = BOXES[this.#done.get(id) ?? 'pending'];
        return `  ${box} ${showControls(id)}  ${showControls(title)}${needs}`;
      }),
    ];
  }

  #step({ stepId, title, status }: RunEventOf<'plan_step'>): string[] {
    // `plan_step_completed` reports the end with its duration; steps of a skill have no such event.
    if (this.#titles.has(stepId)) {
      if (status !== 'running') return [];
      return [`${this.#style.bold(`● ${showControls(stepId)}`)}  ${showControls(title)}`];
    }
    return [this.#dim(`· ${title}: ${status}`)];
  }

  #stepEnd(event: RunEventOf<'plan_step_completed'>): string[] {
    const { stepId, status, summary, durationMs } = event;
    this.#done.set(stepId, status);
    const title = showControls(this.#titles.get(stepId) ?? '');
    const name = `${showControls(stepId)}  ${title} ${this.#dim(`(${seconds(durationMs)})`)}`;
    switch (status) {
      case 'completed':
        return [`${this.#style.green('✓')} ${name}`];
      case 'failed':
        return [`${this.#style.red('✗')} ${name}: ${firstLine(plainTerminalText(summary))}`];
      case 'skipped':
        return [
          `${this.#dim('-')} ${showControls(stepId)}  ${title}: skipped. ${firstLine(showControls(summary))}`,
        ];
    }
  }

  #verification({ stepId = '', verdict, facts }: RunEventOf<'verification'>): string[] {
    const unproven = facts.filter(({ holds }) => !holds);
    this.#unproven.set(stepId, unproven);
    const subject = stepId === '' ? 'the answer' : showControls(stepId);
    const checks = facts.length === 1 ? 'check' : 'checks';
    const text = `${subject}: ${VERDICTS[verdict]}, ${facts.length - unproven.length} of ${facts.length} ${checks} passed`;
    if (verdict === 'verified') return [this.#dim(`· ${text}`)];
    const paint = verdict === 'failed' ? this.#style.red : this.#style.yellow;
    return [paint(`! ${text}`), ...this.#facts(unproven)];
  }

  #facts(facts: readonly Fact[]): string[] {
    return facts.map(({ claim, evidence }) => {
      const why = evidence === '' ? '' : this.#dim(` (${evidence.trim()})`);
      return `    ${this.#style.red('✗')} ${showControls(claim)}${why}`;
    });
  }

  #dim(text: string): string {
    return this.#style.dim(showControls(text));
  }
}

export function isPlanEvent(event: RunEvent): event is PlanEvent {
  return PLAN_TYPES.some((type) => type === event.type);
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}

/** Seconds, rounded for display. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
}
