import { lazy, type ReactNode, Suspense } from 'react';
import type { CitedMarkdown } from './markdown.tsx';

const load = () => import('./markdown.tsx').then((module) => ({ default: module.Markdown }));
const Markdown = lazy(load);

/** Begins to load the parser, so that it is there when the first answer is. */
export function preloadMarkdown(): void {
  // If this fails, the first answer tries again and reports it.
  load().catch((error: unknown) => console.warn('The Markdown parser could not be loaded', error));
}

/** Markdown; its source is shown until the parser is loaded. */
export function LazyMarkdown(props: {
  readonly source: string;
  readonly growing?: boolean;
  readonly cited?: CitedMarkdown | null;
}): ReactNode {
  return (
    <Suspense
      fallback={
        <p className="markdown-source" dir="auto">
          {props.source}
        </p>
      }
    >
      <Markdown {...props} />
    </Suspense>
  );
}
