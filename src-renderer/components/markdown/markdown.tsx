import { Children, isValidElement, memo, type ReactNode } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
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

/** Markdown of a model, as safe as plain text. Parsed again only when the source changes. */
export const Markdown = memo(function Markdown({
  source,
  growing = false,
}: {
  readonly source: string;
  /** More of it is on its way. */
  readonly growing?: boolean;
}): ReactNode {
  const fence = growing ? readGrowingFence(source) : null;
  if (fence !== null) return <CodeBlock code={fence.code} language={fence.language} growing />;
  return (
    <ReactMarkdown remarkPlugins={PLUGINS} components={COMPONENTS} urlTransform={keepUrl}>
      {source}
    </ReactMarkdown>
  );
});

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
