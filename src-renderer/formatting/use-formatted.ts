import { useEffect, useState } from 'react';
import { type FormatQuestion, FormatThread, type Formatted } from './format-thread.ts';
import type { MarkdownTree } from './markdown-tree.ts';

const thread = new FormatThread(
  () => new Worker(new URL('./format-worker.ts', import.meta.url), { type: 'module' }),
);

/** Starts the worker when the page is idle, so that the first text does not wait for it. */
export function preloadFormatting(): void {
  requestIdleCallback(() => thread.warm());
}

/** A whole text, formatted in the worker; null for what cannot be. */
export function formatOnce(source: string): Promise<MarkdownTree | null> {
  const question = { kind: 'markdown', source, works: null, growing: false } as const;
  const kept = thread.kept(question);
  if (kept !== undefined) return Promise.resolve(kept);
  return new Promise((resolve) => thread.ask(question, resolve));
}

/** A question with its answer; `formatted` is null for what is shown as it is. */
export interface Answered<Q extends FormatQuestion> {
  readonly question: Q;
  readonly formatted: Formatted<Q> | null;
}

/**
 * The answer to this question, or the previous one while this one is computed; null before the first.
 * Questions are compared by identity; null asks nothing.
 */
export function useFormatted<Q extends FormatQuestion>(question: Q | null): Answered<Q> | null {
  const [last, setLast] = useState<Answered<Q> | null>(null);
  useEffect(() => {
    if (question === null || thread.kept(question) !== undefined) return;
    return thread.ask(question, (formatted) => setLast({ question, formatted }));
  }, [question]);
  const formatted = question === null ? undefined : thread.kept(question);
  return question === null || formatted === undefined ? last : { question, formatted };
}
