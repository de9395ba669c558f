import { AppError } from '#contract/errors.ts';
import type { PlanStepState } from '#contract/plans.ts';
import type { Workspace } from '../sandbox/types.ts';

/** Where the list lies in the workspace; the person and the agent may both read and change it. */
export const TODO_PATH = '.hyperagent/todo.md';
/** Most of it that a prompt holds. */
const TODO_CHARS = 2_000;

const MARKS: Readonly<Record<PlanStepState['status'], string>> = {
  pending: '[ ]',
  running: '[ ]',
  completed: '[x]',
  failed: '[!]',
  skipped: '[-]',
};

/** The plan as a checklist in Markdown. */
export function renderTodo(steps: readonly PlanStepState[]): string {
  const lines = steps.map((step, position) => {
    const now = step.status === 'running' ? ' (now)' : '';
    const came = step.summary.split('\n', 1)[0]?.slice(0, 160) ?? '';
    const result = came === '' ? '' : `: ${came}`;
    return `- ${MARKS[step.status]} ${position + 1}. ${step.title}${now}${result}`;
  });
  return `# Plan\n\n${lines.join('\n')}\n`;
}

/** Writes the list. A workspace that does not take it is no reason to stop: the log has the plan too. */
export async function writeTodo(files: Pick<Workspace, 'write'>, markdown: string): Promise<void> {
  try {
    await files.write(TODO_PATH, markdown);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

/** What the list says now, whoever wrote it last, cut to what a prompt holds. `fallback` where it is gone. */
export async function readTodo(files: Pick<Workspace, 'read'>, fallback: string): Promise<string> {
  try {
    // A character has at most four bytes.
    const { data } = await files.read(TODO_PATH, TODO_CHARS * 4);
    return cut(data.toString('utf8'));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return cut(fallback);
  }
}

function cut(text: string): string {
  return text.length <= TODO_CHARS ? text : `${text.slice(0, TODO_CHARS - 1)}…`;
}
