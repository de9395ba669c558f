import { lazy, type ReactNode, Suspense } from 'react';

const load = () => import('./markdown.tsx').then((module) => ({ default: module.Markdown }));
const Markdown = lazy(load);

/** Begins to load the parser, so that it is there when the first answer is. */
export function preloadMarkdown(): void {
  // Where it fails, the first answer tries again and says so.
  load().catch((error: unknown) => console.warn('Markdown is not there yet', error));
}

/** Markdown, as its own source until the parser is there. */
export function LazyMarkdown(props: {
  readonly source: string;
  readonly growing?: boolean;
}): ReactNode {
  return (
    <Suspense fallback={<p className="markdown-source">{props.source}</p>}>
      <Markdown {...props} />
    </Suspense>
  );
}
