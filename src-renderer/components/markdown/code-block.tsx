import { memo, type ReactNode } from 'react';
import { strings } from '../../strings.ts';
import { CopyButton } from '../copy-button.tsx';
import { useHighlighted } from './use-highlighted.ts';

interface CodeProps {
  readonly code: string;
  /** As in a fence: `python`, `ts`; empty where nobody said. */
  readonly language: string;
  /** More of it is on its way. */
  readonly growing?: boolean;
}

/** Code with its language and a way to copy it. */
export const CodeBlock = memo(function CodeBlock(props: CodeProps): ReactNode {
  const { code, language } = props;
  return (
    <figure className="code-block">
      <figcaption className="code-block-bar">
        <span>{language === '' ? strings.chat.plainText : language}</span>
        <CopyButton label={strings.chat.copyCode} text={() => code} />
      </figcaption>
      <HighlightedCode {...props} />
    </figure>
  );
});

/** Code in colours, without anything around it. */
export function HighlightedCode({ code, language, growing = false }: CodeProps): ReactNode {
  const spans = useHighlighted(code, language.toLowerCase(), growing);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre className="code" tabIndex={0}>
      <code>
        {spans === null
          ? code
          : spans.map(({ text, className }, index) =>
              className === null ? (
                text
              ) : (
                // biome-ignore lint/suspicious/noArrayIndexKey: spans have no name but their place
                <span key={index} className={className}>
                  {text}
                </span>
              ),
            )}
      </code>
    </pre>
  );
}
