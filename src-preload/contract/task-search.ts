import { z } from 'zod';
import { Thread } from './entities.ts';

/** Most tasks in one answer. */
export const TASK_RESULTS_LIMIT = 50;
export const TASK_QUERY_CHARS = 200;

/** A range of a text, in UTF-16 units. */
const Mark = z.tuple([z.int().nonnegative(), z.int().nonnegative()]);

/** A place in a task where the words occur. */
export const TaskHit = z.strictObject({
  runId: z.string(),
  /** The event that it begins at; 0 for the user's message. */
  seq: z.int().nonnegative(),
  kind: z.enum(['message', 'answer', 'call', 'report']),
  /** The id of the message, call or report; may be empty. */
  ref: z.string(),
  at: z.int(),
  /** Plain text on one line. Untrusted. */
  excerpt: z.string(),
  /** Where the words are in the excerpt, in order and apart. */
  marks: z.array(Mark),
});
export type TaskHit = z.infer<typeof TaskHit>;

export const TaskSearchResult = z.strictObject({
  thread: Thread,
  /** Where the words are in the title. */
  titleMarks: z.array(Mark),
  /** The best places first; none if only the title matches. */
  hits: z.array(TaskHit),
});
export type TaskSearchResult = z.infer<typeof TaskSearchResult>;

export const TASK_SEARCH_REQUESTS = {
  /** Tasks by their words, best first; archived ones too. */
  'threads.search': {
    effect: 'read',
    input: z.strictObject({
      query: z.string().min(1).max(TASK_QUERY_CHARS),
      limit: z.int().min(1).max(TASK_RESULTS_LIMIT).optional(),
    }),
    output: z.strictObject({
      results: z.array(TaskSearchResult),
      /** Ended runs that are not indexed yet. */
      notIndexed: z.int().nonnegative(),
    }),
  },
} as const;
