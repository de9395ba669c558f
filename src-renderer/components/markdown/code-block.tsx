import { WrapText } from 'lucide-react';
import { memo, type ReactNode, useMemo, useState } from 'react';
import type { CodeQuestion } from '../../formatting/format-thread.ts';
import type { HighlightedSpan } from '../../formatting/highlight.ts';
import { useFormatted } from '../../formatting/use-formatted.ts';
import { chatStrings } from '../../strings/chat.ts';
import { IconButton } from '../button.tsx';
import { CopyButton } from '../copy-button.tsx';

interface CodeProps {
  readonly code: string;
  /** As in a fence: `python`, `ts`; empty if not given. */
  readonly language: string;
  /** More of it is on its way. */
  readonly growing?: boolean;
}

/** Longer code is shown without colours: its thousands of spans would hold the window. */
const LIMIT_CHARS = 60_000;
/** The same for code that still grows, which is coloured again at each step. */
const GROWING_LIMIT_CHARS = 3_000;

/** Code with its language and a way to copy it. */
export const CodeBlock = memo(function CodeBlock(props: CodeProps): ReactNode {
  const { code, language } = props;
  const [wraps, setWraps] = useState(false);
  return (
    <figure className="code-block" data-wraps={wraps}>
      <figcaption className="code-block-bar">
        <span>{language === '' ? chatStrings.plainText : language}</span>
        <span className="spacer" />
        <IconButton
          label={chatStrings.wrapLines}
          size="small"
          aria-pressed={wraps}
          onClick={() => setWraps(!wraps)}
        >
          <WrapText aria-hidden="true" size={14} />
        </IconButton>
        <CopyButton label={chatStrings.copyCode} text={() => code} />
      </figcaption>
      <HighlightedCode {...props} />
    </figure>
  );
});

/** Code in colours, without anything around it. */
export function HighlightedCode(props: CodeProps): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre className="code" tabIndex={0}>
      <code>
        <HighlightedText {...props} />
      </code>
    </pre>
  );
}

/** The text of code in colours; every character of it, and nothing else. */
export function HighlightedText({ code, language, growing = false }: CodeProps): ReactNode {
  const spans = useHighlighted(code, language.toLowerCase(), growing);
  if (spans === null || spans.map(({ text }) => text).join('') !== code) return code;
  return spans.map(({ text, className }, index) =>
    className === null ? (
      text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: spans have no name but their place
      <span key={index} className={className}>
        {text}
      </span>
    ),
  );
}

/** The code in coloured spans; null until they are ready, or where they cannot be made. */
function useHighlighted(
  code: string,
  language: string,
  growing: boolean,
): readonly HighlightedSpan[] | null {
  const wanted = language !== '' && code.length <= (growing ? GROWING_LIMIT_CHARS : LIMIT_CHARS);
  const question = useMemo(
    (): CodeQuestion | null => (wanted ? { kind: 'code', code, language, growing } : null),
    [wanted, code, language, growing],
  );
  const answered = useFormatted(question);
  if (answered === null || answered.formatted === null) return null;
  const { question: previous, formatted } = answered;
  if (previous.language !== language || !code.startsWith(previous.code)) return null;
  // Code that was added since the last answer has no colours yet.
  const rest = code.slice(previous.code.length);
  return rest === '' ? formatted : [...formatted, { text: rest, className: null }];
}
