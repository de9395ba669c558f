import type { PreparedCall } from './prepare-call.ts';
import type { CallContext } from './tool-pipeline.ts';
import type { LookContext } from './types.ts';

/** Step 2: what a tool is told of its call, to look at it or to make it. */
export function lookContext(
  { id, subjects }: Pick<PreparedCall, 'id' | 'subjects'>,
  context: CallContext,
  before: unknown,
): LookContext {
  const paths = subjects.opened ?? subjects.paths ?? [];
  return { ...context, toolCallId: id, paths, before };
}
