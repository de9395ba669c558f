import { type ReactNode, useEffect, useState } from 'react';
import type { RulePattern } from '#contract/entities.ts';
import type { RuleDecision } from '#contract/vocabulary.ts';
import { useSession } from '../session-context.ts';
import { questionStrings } from '../strings/questions.ts';

const TYPING_MS = 250;

/** How many of the newest calls a rule would have decided. */
export function RulePreview({
  toolName,
  match,
  pattern,
  decision,
}: RulePattern & { readonly toolName: string; readonly decision: RuleDecision }): ReactNode {
  const { bridge } = useSession();
  const [text, setText] = useState('');
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(async () => {
      if (pattern === '') return;
      const rule = { toolName, match, pattern, decision, threadId: null };
      const result = await bridge.request('rules.try', { rule });
      if (!isCurrent) return;
      setText(
        result.ok
          ? questionStrings.wouldDecide(result.data.decided, result.data.of)
          : result.error.message,
      );
    }, TYPING_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [bridge, toolName, match, pattern, decision]);
  return (
    <p className="field-note" role="status">
      {text}
    </p>
  );
}
