import { z } from 'zod';
import { defineEvent } from './base.ts';

/** Several steps or calls start together; tasks and end carry the same `groupId`. */
const ParallelStartEvent = defineEvent('parallel_start', {
  groupId: z.string(),
  title: z.string(),
  taskIds: z.array(z.string()),
});

const ParallelTaskEvent = defineEvent('parallel_task', {
  groupId: z.string(),
  taskId: z.string(),
  title: z.string(),
  status: z.enum(['running', 'completed', 'failed']),
});

const ParallelCompleteEvent = defineEvent('parallel_complete', {
  groupId: z.string(),
  completed: z.int().nonnegative(),
  failed: z.int().nonnegative(),
});

export const parallelEvents = [
  ParallelStartEvent,
  ParallelTaskEvent,
  ParallelCompleteEvent,
] as const;
