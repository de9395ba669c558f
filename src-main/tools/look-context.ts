import type { PreparedCall } from './prepare-call.ts';
import type { CallContext } from './tool-pipeline.ts';
import type { LookContext } from './types.ts';

/** Step 2: the context in which a tool inspects or makes its call. */
export function lookContext(
  { id, step, subjects, inRun }: Pick<PreparedCall, 'id' | 'step' | 'subjects' | 'inRun'>,
  context: CallContext,
  before: unknown,
): LookContext {
  const paths = subjects.opened ?? subjects.paths ?? [];
  return { ...context, toolCallId: id, step, paths, before, seen: inRun?.seen };
}
