import { AppError } from '#contract/errors.ts';
import type { PlanStepState } from '#contract/plans.ts';
import type { Workspace } from '../sandbox/types.ts';

/** The list in the workspace; the user and the agent may both read and change it. */
export const TODO_PATH = '.hyperagent/todo.md';
/** Characters of the list in a prompt. */
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
    const outcome = step.summary.split('\n', 1)[0]?.slice(0, 160) ?? '';
    const result = outcome === '' ? '' : `: ${outcome}`;
    return `- ${MARKS[step.status]} ${position + 1}. ${step.title}${now}${result}`;
  });
  return `# Plan\n\n${lines.join('\n')}\n`;
}

/** Writes the list. Ignores a workspace that rejects it, because the log has the plan too. */
export async function writeTodo(files: Pick<Workspace, 'write'>, markdown: string): Promise<void> {
  try {
    await files.write(TODO_PATH, markdown);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

/** The current list, with edits by anyone, cut for a prompt; `fallback` if it is missing. */
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
