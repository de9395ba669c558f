import { delay } from '../base/abort.ts';
import { isTransient } from '../base/transient.ts';
import type { PreparedCall } from './prepare-call.ts';
import type { ToolContext, ToolOutput } from './types.ts';

const PAUSE_MS = 1_000;

/**
 * Runs a call. A read that fails for a reason of the moment is tried again, once and visibly; whatever may have had
 * an effect never is.
 */
export async function runTool(
  { id, tool, effect }: Pick<PreparedCall, 'id' | 'tool' | 'effect'>,
  { emit, signal }: Pick<ToolContext, 'emit' | 'signal'>,
  run: () => Promise<ToolOutput>,
): Promise<ToolOutput> {
  const stage = (status: 'running' | 'completed' | 'failed', description: string): void =>
    emit({ type: 'stage', name: `retry ${id}`, status, description });
  const again = async (why: string): Promise<ToolOutput> => {
    stage('running', `${tool.name} failed for the moment and is tried again: ${why}`);
    try {
      await delay(PAUSE_MS, signal);
      const output = await run();
      stage('completed', `${tool.name} was tried again`);
      return output;
    } catch (error) {
      stage('failed', `${tool.name} failed again`);
      throw error;
    }
  };
  if (effect !== 'read') return run();
  let first: ToolOutput;
  try {
    first = await run();
  } catch (error) {
    if (signal.aborted || !isTransient(error)) throw error;
    return again(error instanceof Error ? error.message : String(error));
  }
  return first.transient === true ? again(firstLineOf(first.content)) : first;
}

function firstLineOf(content: string): string {
  return content.split('\n', 1)[0]?.slice(0, 200) ?? '';
}
