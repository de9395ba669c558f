import type { RunEvent, RunEventOf } from '#contract/events/run-event.ts';
import { seconds } from './plan-lines.ts';
import type { Style } from './style.ts';
import { plainTerminalText, showControls } from './visible-text.ts';

type SkillStage = RunEventOf<'stage'> & {
  readonly skill: NonNullable<RunEventOf<'stage'>['skill']>;
};
type SkillEvent = SkillStage | RunEventOf<'skill_output' | 'skill_walk'>;
type Walk = RunEventOf<'skill_walk'>['walk'];

/** What skills say of their work, as lines: stages, what came out, the way through a Markdown skill. */
export class SkillLines {
  readonly #style: Style;
  /** When each execution began. */
  readonly #begun = new Map<string, number>();
  /** As it was told last, by the reading of the skill. */
  readonly #sessions = new Map<string, Walk>();

  constructor(style: Style) {
    this.#style = style;
  }

  /** The lines that an event is worth; none for many. */
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
    const said = plainTerminalText(description).trim().replaceAll('\n', ' ');
    const began = this.#begun.get(executionId);
    const isWhole = name === `skill_${id}`;
    if (!isWhole || (began !== undefined && status === 'running')) {
      if (status === 'completed') return [];
      const failed = status === 'failed' ? ' (failed)' : '';
      return [`${this.#style.dim('·')} ${mark} ${this.#style.dim(`${said}${failed}`)}`];
    }
    const time = began === undefined ? '' : this.#style.dim(` (${seconds(at - began)})`);
    switch (status) {
      case 'running':
        this.#begun.set(executionId, at);
        return [`◆ ${mark} ${this.#style.dim(said)}`];
      case 'completed':
        return [`${this.#style.green('◆')} ${mark} done${time}`];
      case 'failed':
        return [`${this.#style.red('✗')} ${mark}${time}: ${said}`];
    }
  }

  /** Names and sizes: the answer, or the agent, says the rest. */
  #output({ skillId, output, previewUrl, downloadUrl }: RunEventOf<'skill_output'>): string[] {
    const fields = Object.entries(output).map(([name, value]) => `${name}${sizeOf(value)}`);
    const gave = fields.length === 0 ? 'nothing' : fields.join(', ');
    const urls = [previewUrl, downloadUrl].filter((url) => url !== undefined);
    return [`▣ ${skillId} gave ${gave}`, ...urls.map((url) => `    ${url}`)].map((line) =>
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
    const told = lines.map((line) => this.#line(line));
    for (const { what, why } of walk.refusals.slice(before?.refusals.length ?? 0)) {
      told.push(this.#style.yellow(this.#line(`! ${skill}, refused: ${what}: ${why}`)));
    }
    if (status !== 'active' && status !== before?.status) {
      told.push(
        this.#line(status === 'completed' ? `☰ ${skill}: done` : `☰ ${skill}: cancelled`),
      );
    }
    return told;
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
