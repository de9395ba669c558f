import { type Components, toJsxRuntime } from 'hast-util-to-jsx-runtime';
import {
  Children,
  isValidElement,
  lazy,
  memo,
  type ReactNode,
  Suspense,
  useEffect,
  useMemo,
  useRef,
} from 'react';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import type { CitedWorks } from '../../formatting/citations.ts';
import type { MarkdownQuestion } from '../../formatting/format-thread.ts';
import { type MarkdownTree, parseMarkdown } from '../../formatting/markdown-tree.ts';
import { useFormatted } from '../../formatting/use-formatted.ts';
import { chatStrings } from '../../strings/chat.ts';
import { AnswerTable } from './answer-table.tsx';
import { ChatLink } from './chat-link.tsx';
import { CodeBlock } from './code-block.tsx';
import { ChatImage } from './workspace-image.tsx';

/** Typesetting is loaded with the first formula. */
const Formula = lazy(() => import('./formula.tsx').then((module) => ({ default: module.Formula })));

/** Diagrams are drawn elsewhere; what shows them is loaded with the first one. */
const Diagram = lazy(() => import('./diagram.tsx').then((module) => ({ default: module.Diagram })));

/** Up to this length it is parsed on the main thread: some 20 ms in the worst case. */
const SHORT_CHARS = 1_500;

/**
 * How elements of Markdown are drawn. HTML in the source is text but for a few tags without attributes:
 * nothing here turns a string into elements.
 */
const COMPONENTS: Components = {
  a: ({ href, children }) => <ChatLink href={href ?? ''}>{children}</ChatLink>,
  img: ({ src, alt }) => <ChatImage src={typeof src === 'string' ? src : ''} alt={alt ?? ''} />,
  pre: ({ children }) => <FencedCode>{children}</FencedCode>,
  code: ({ className, children }) =>
    className?.includes('math-inline') === true ? (
      <LazyFormula tex={String(children ?? '')} display={false} />
    ) : (
      <code className={className}>{children}</code>
    ),
  table: ({ children }) => <AnswerTable>{children}</AnswerTable>,
  // Headings of an answer rank below those of the window, without skipping a level.
  h1: ({ children }) => (
    <h3 className="md-h1" dir="auto">
      {children}
    </h3>
  ),
  h2: ({ children }) => (
    <h3 className="md-h2" dir="auto">
      {children}
    </h3>
  ),
  h3: ({ children }) => (
    <h3 className="md-h3" dir="auto">
      {children}
    </h3>
  ),
  h4: ({ children }) => (
    <h4 className="md-h3" dir="auto">
      {children}
    </h4>
  ),
  h5: ({ children }) => (
    <h4 className="md-h3" dir="auto">
      {children}
    </h4>
  ),
  h6: ({ children }) => (
    <h4 className="md-h3" dir="auto">
      {children}
    </h4>
  ),
  input: ({ checked }) => (
    <span
      className="task-box"
      role="img"
      aria-label={checked === true ? chatStrings.taskDone : chatStrings.taskOpen}
      data-checked={checked === true}
    />
  ),
};

/** What sources add to Markdown: numbers in brackets are links, drawn by the part that knows the sources. */
export interface CitedMarkdown {
  readonly works: CitedWorks;
  /** What replaces a link; null for an ordinary link. */
  readonly link: (address: string) => ReactNode;
}

/**
 * Markdown of a model, as safe as plain text. Parsed again only when the source changes: here where it
 * is short, otherwise in a worker. Until it is parsed, the source or the previous result is shown.
 */
export const Markdown = memo(function Markdown({
  source,
  growing = false,
  cited = null,
  onDrawn,
}: {
  readonly source: string;
  /** More of it is on its way. */
  readonly growing?: boolean;
  readonly cited?: CitedMarkdown | null;
  /** Called each time other elements are drawn. */
  readonly onDrawn?: () => void;
}): ReactNode {
  const fence = growing ? readGrowingFence(source) : null;
  const tree = useTree(fence === null ? source : '', growing, cited?.works ?? null);
  const components = useMemo(() => componentsFor(cited, growing), [cited, growing]);
  const drawn = useMemo(
    () =>
      tree === null || tree === 'unformatted'
        ? tree
        : toJsxRuntime(tree, { Fragment, jsx, jsxs, components, ...OPTIONS }),
    [tree, components],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: other elements are drawn when `drawn` changes
  useEffect(() => onDrawn?.(), [drawn, onDrawn]);
  if (fence !== null) return <CodeBlock code={fence.code} language={fence.language} growing />;
  if (drawn !== null && drawn !== 'unformatted') return drawn;
  return (
    <>
      {drawn !== null && <p className="muted">{chatStrings.unformatted}</p>}
      <p className="markdown-source" dir="auto">
        {source}
      </p>
    </>
  );
});

const OPTIONS = { ignoreInvalidStyle: true, passKeys: true };

/** A block that still grows may end within a diagram. */
const GROWING: Components = {
  ...COMPONENTS,
  pre: ({ children }) => <FencedCode growing>{children}</FencedCode>,
};

function componentsFor(cited: CitedMarkdown | null, growing: boolean): Components {
  const components = growing ? GROWING : COMPONENTS;
  if (cited === null) return components;
  const a: Components['a'] = ({ href = '', children }) =>
    cited.link(href) ?? <ChatLink href={href}>{children}</ChatLink>;
  return { ...components, a };
}

/** The parsed source, or the previous one; null before the first; `'unformatted'` if it is too costly. */
function useTree(
  source: string,
  growing: boolean,
  works: CitedWorks | null,
): MarkdownTree | 'unformatted' | null {
  const isShort = source.length <= SHORT_CHARS;
  const short = useMemo(
    () => (isShort ? parseMarkdown(source, works) : null),
    [isShort, source, works],
  );
  const question = useMemo(
    (): MarkdownQuestion | null => (isShort ? null : { kind: 'markdown', source, works, growing }),
    [isShort, source, works, growing],
  );
  const answered = useFormatted(question);
  const before = useRef<MarkdownTree | null>(null);
  useEffect(() => {
    if (short !== null) before.current = short;
  }, [short]);
  if (isShort) return short ?? 'unformatted';
  if (answered !== null) return answered.formatted ?? 'unformatted';
  return before.current;
}

function FencedCode({
  children,
  growing = false,
}: {
  readonly children: ReactNode;
  readonly growing?: boolean;
}): ReactNode {
  const child = Children.toArray(children)[0];
  if (!isValidElement<{ className?: string; children?: ReactNode }>(child)) return null;
  const { className, children: text } = child.props;
  const language = /language-(\S+)/.exec(className ?? '')?.[1] ?? '';
  const code = String(text ?? '').replace(/\n$/, '');
  if (language === 'math') return <LazyFormula tex={code} display />;
  const block = <CodeBlock code={code} language={language} />;
  if (growing || language.toLowerCase() !== 'mermaid' || code.trim() === '') return block;
  return (
    <Suspense fallback={block}>
      <Diagram source={code} />
    </Suspense>
  );
}

/** A formula; its source until typesetting is loaded. */
function LazyFormula(props: { readonly tex: string; readonly display: boolean }): ReactNode {
  return (
    <Suspense fallback={<code>{props.tex}</code>}>
      <Formula {...props} />
    </Suspense>
  );
}

/**
 * The code of a block that is nothing but a fence which is not closed yet. Long code streams often,
 * and need not go through the parser at every step. Null for anything else.
 */
function readGrowingFence(source: string): { code: string; language: string } | null {
  const opening = /^(`{3,}|~{3,})[ \t]*([^\s`]*)[^\n`]*\n/.exec(source);
  if (opening === null) return null;
  const [line, marks = '', language = ''] = opening;
  const code = source.slice(line.length);
  const closing = code.lastIndexOf(`\n${marks}`);
  if (closing !== -1 || code.startsWith(marks)) return null;
  return { code: code.replace(/\n$/, ''), language };
}
