import { Children, isValidElement, memo, type ReactNode, useMemo } from 'react';
import ReactMarkdown, { type Components, type Options } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { ChatLink } from './chat-link.tsx';
import { CodeBlock } from './code-block.tsx';
import { readGrowingFence } from './growing-fence.ts';
import { ChatImage } from './workspace-image.tsx';

const PLUGINS = [remarkGfm];

/**
 * How elements of Markdown are drawn. HTML in the source stays text: nothing here turns a string
 * into elements.
 */
const COMPONENTS: Components = {
  a: ({ href, children }) => <ChatLink href={href ?? ''}>{children}</ChatLink>,
  img: ({ src, alt }) => <ChatImage src={typeof src === 'string' ? src : ''} alt={alt ?? ''} />,
  pre: ({ children }) => <FencedCode>{children}</FencedCode>,
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div className="table-scroll" tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
  // Headings of an answer stand below those of the window, without a level left out.
  h1: ({ children }) => <h3 className="md-h1">{children}</h3>,
  h2: ({ children }) => <h3 className="md-h2">{children}</h3>,
  h3: ({ children }) => <h3 className="md-h3">{children}</h3>,
  h4: ({ children }) => <h4 className="md-h3">{children}</h4>,
  h5: ({ children }) => <h4 className="md-h3">{children}</h4>,
  h6: ({ children }) => <h4 className="md-h3">{children}</h4>,
  input: ({ checked }) => (
    <span className="task-box" data-checked={checked === true}>
      <span className="visually-hidden">{checked === true ? '☑' : '☐'}</span>
    </span>
  ),
};

/** What a place adds to Markdown: links of its own making, which it draws itself. */
export interface MarkdownExtension {
  /** A plugin of remark that changes the tree. */
  readonly plugin: NonNullable<Options['remarkPlugins']>[number];
  /** What is drawn in place of a link; null for a link like any other. */
  readonly link: (address: string) => ReactNode;
}

/** Markdown of a model, as safe as plain text. Parsed again only when the source changes. */
export const Markdown = memo(function Markdown({
  source,
  growing = false,
  extension = null,
}: {
  readonly source: string;
  /** More of it is on its way. */
  readonly growing?: boolean;
  readonly extension?: MarkdownExtension | null;
}): ReactNode {
  const [plugins, components] = useMemo(() => extended(extension), [extension]);
  const fence = growing ? readGrowingFence(source) : null;
  if (fence !== null) return <CodeBlock code={fence.code} language={fence.language} growing />;
  return (
    <ReactMarkdown remarkPlugins={plugins} components={components} urlTransform={keepUrl}>
      {source}
    </ReactMarkdown>
  );
});

function extended(
  extension: MarkdownExtension | null,
): readonly [NonNullable<Options['remarkPlugins']>, Components] {
  if (extension === null) return [PLUGINS, COMPONENTS];
  const { plugin, link } = extension;
  const a: Components['a'] = ({ href = '', children }) =>
    link(href) ?? <ChatLink href={href}>{children}</ChatLink>;
  return [[...PLUGINS, plugin], { ...COMPONENTS, a }];
}

/** Addresses are judged where they are used, by `classifyTarget`. */
function keepUrl(url: string): string {
  return url;
}

function FencedCode({ children }: { readonly children: ReactNode }): ReactNode {
  const child = Children.toArray(children)[0];
  if (!isValidElement<{ className?: string; children?: ReactNode }>(child)) return null;
  const { className, children: text } = child.props;
  const language = /language-(\S+)/.exec(className ?? '')?.[1] ?? '';
  return <CodeBlock code={String(text ?? '').replace(/\n$/, '')} language={language} />;
}
