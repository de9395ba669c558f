import '../styles/model-use.css';
import { type ReactNode, useEffect, useState } from 'react';
import type { ModelUse } from '#contract/model-use.ts';
import type { RequestOutput } from '#contract/requests.ts';
import { formatCount, formatDuration } from '../format.ts';
import { useSession } from '../session-context.ts';
import { modelUseStrings } from '../strings/model-use.ts';

/** What models cost, of a task or of all; null until it is known, or where it cannot be read. */
export function useModelUse(threadId?: string): RequestOutput<'usage.get'> | null {
  const { bridge } = useSession();
  const [use, setUse] = useState<RequestOutput<'usage.get'> | null>(null);
  useEffect(() => {
    let isShown = true;
    const input = threadId === undefined ? {} : { threadId };
    void bridge.request('usage.get', input).then((result) => {
      if (isShown && result.ok) setUse(result.data);
    });
    return () => {
      isShown = false;
    };
  }, [bridge, threadId]);
  return use;
}

/** Tokens, requests and time, a model each. */
export function ModelUseList({ models }: { readonly models: readonly ModelUse[] }): ReactNode {
  if (models.length === 0) return <p className="muted">{modelUseStrings.nothing}</p>;
  return (
    <ul className="model-use">
      {models.map(({ model, requests, promptTokens, completionTokens, durationMs, estimated }) => (
        <li key={model}>
          <span className="model-use-name">{model}</span>
          <span className="muted">
            {modelUseStrings.tokens(formatCount(promptTokens), formatCount(completionTokens))}
            {' · '}
            {formatDuration(durationMs)}
            {' · '}
            {modelUseStrings.requests(requests)}
            {estimated > 0 && ` · ${modelUseStrings.estimated(estimated, requests)}`}
          </span>
        </li>
      ))}
    </ul>
  );
}
