import type { Thread } from '#contract/entities.ts';

/** A task as main describes it, neither pinned nor archived. */
export function fakeThread(
  fields: Pick<Thread, 'id' | 'title'> & Partial<Thread> & { readonly at?: number },
): Thread {
  const { at = 0, ...more } = fields;
  const marks = { pinnedAt: null, archivedAt: null };
  return { createdAt: at, updatedAt: at, status: null, ...marks, ...more };
}
