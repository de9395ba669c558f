import type { RunEvent, RunEventOf } from '#contract/events/run-event.ts';
import { seconds } from './plan-lines.ts';
import type { Style } from './style.ts';
import { plainTerminalText, showControls } from './visible-text.ts';

type SkillStage = RunEventOf<'stage'> & {
  readonly skill: NonNullable<RunEventOf<'stage'>['skill']>;
};
export type SkillEvent = SkillStage | RunEventOf<'skill_output' | 'skill_walk'>;
type Walk = RunEventOf<'skill_walk'>['walk'];

/** Formats skill events as lines: stages, outputs, progress through a Markdown skill. */
export class SkillLines {
  readonly #style: Style;
  /** When each execution started. */
  readonly #startedAt = new Map<string, number>();
  /** The last state of each skill session. */
  readonly #sessions = new Map<string, Walk>();

  constructor(style: Style) {
    this.#style = style;
  }

  /** The lines for an event; often none. */
  of(event: SkillEvent): string[] {
    switch (event.type) {
      case 'stage':
        return this.#stage(event);
      case 'skill_output':
        return this.#output(event);
      case 'skill_walk':
        return this.#walk(event);
    }
  }

  #stage({ name, status, description, skill, at }: SkillStage): string[] {
    const { id, executionId } = skill;
    const mark = this.#style.bold(showControls(id));
    const text = plainTerminalText(description).trim().replaceAll('\n', ' ');
    const startedAt = this.#startedAt.get(executionId);
    const isWhole = name === `skill_${id}`;
    if (!isWhole || (startedAt !== undefined && status === 'running')) {
      if (status === 'completed') return [];
      const failed = status === 'failed' ? ' (failed)' : '';
      return [`${this.#style.dim('·')} ${mark} ${this.#style.dim(`${text}${failed}`)}`];
    }
    const time = startedAt === undefined ? '' : this.#style.dim(` (${seconds(at - startedAt)})`);
    switch (status) {
      case 'running':
        this.#startedAt.set(executionId, at);
        return [`◆ ${mark} ${this.#style.dim(text)}`];
      case 'completed':
        return [`${this.#style.green('◆')} ${mark} done${time}`];
      case 'failed':
        return [`${this.#style.red('✗')} ${mark}${time}: ${text}`];
    }
  }

  /** Names and sizes only: the answer or the agent reports the values. */
  #output({ skillId, output, previewUrl, downloadUrl }: RunEventOf<'skill_output'>): string[] {
    const fields = Object.entries(output).map(([name, value]) => `${name}${sizeOf(value)}`);
    const returned = fields.length === 0 ? 'nothing' : fields.join(', ');
    const urls = [previewUrl, downloadUrl].filter((url) => url !== undefined);
    return [`▣ ${skillId} returned ${returned}`, ...urls.map((url) => `    ${url}`)].map((line) =>
      this.#style.dim(showControls(line.replaceAll('\n', ' '))),
    );
  }

  #walk({ walkId, walk }: RunEventOf<'skill_walk'>): string[] {
    const before = this.#sessions.get(walkId);
    this.#sessions.set(walkId, walk);
    const { skill, steps, status } = walk;
    const lines: string[] = [];
    if (before === undefined) {
      lines.push(`☰ ${skill}: ${steps.length === 1 ? 'one step' : `${steps.length} steps`}`);
      lines.push(...steps.map((step) => `  ${box(step)} ${step.number}. ${step.title}`));
    } else {
      for (const step of steps) {
        const earlier = before.steps.find(({ number }) => number === step.number);
        const news = [
          ...step.read
            .filter((file) => !earlier?.read.includes(file))
            .map((file) => `read ${file}`),
          ...step.answered
            .filter((checkpoint) => !earlier?.answered.includes(checkpoint))
            .map((checkpoint) => `you answered: ${checkpoint}`),
        ];
        lines.push(...news.map((what) => `    ${skill}, step ${step.number}: ${what}`));
        if (step.status === 'done' && earlier?.status !== 'done') {
          lines.push(`  ${box(step)} ${step.number}. ${step.title}`);
        }
      }
    }
    const printed = lines.map((line) => this.#line(line));
    for (const { what, why } of walk.refusals.slice(before?.refusals.length ?? 0)) {
      printed.push(this.#style.yellow(this.#line(`! ${skill}, refused: ${what}: ${why}`)));
    }
    if (status !== 'active' && status !== before?.status) {
      printed.push(
        this.#line(status === 'completed' ? `☰ ${skill}: done` : `☰ ${skill}: cancelled`),
      );
    }
    return printed;
  }

  #line(text: string): string {
    return showControls(text.replaceAll('\n', ' '));
  }
}

export function isSkillEvent(event: RunEvent): event is SkillEvent {
  if (event.type === 'stage') return event.skill !== undefined;
  return event.type === 'skill_output' || event.type === 'skill_walk';
}

function box({ status }: Walk['steps'][number]): string {
  return status === 'done' ? '[x]' : '[ ]';
}

function sizeOf(value: unknown): string {
  if (Array.isArray(value)) return ` (${value.length})`;
  if (typeof value === 'string') return value.length > 40 ? ` (${value.length} characters)` : '';
  return '';
}
