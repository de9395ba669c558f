import { Cloud } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ModelSummary } from '#contract/entities.ts';
import { formatTokens } from '../format.ts';
import { modelStrings } from '../strings/models.ts';

/** Facts that distinguish a model. */
export function ModelFacts({ model }: { readonly model: ModelSummary }): ReactNode {
  return (
    <span className="model-facts">
      {model.cloud && (
        <span className="tag" data-tone="warning" title={modelStrings.cloudHint}>
          <Cloud aria-hidden="true" size={12} />
          {modelStrings.cloud}
        </span>
      )}
      {model.tools === false && <span className="tag">{modelStrings.noTools}</span>}
      {model.contextWindow !== null && (
        <span className="muted">{formatTokens(model.contextWindow)}</span>
      )}
      {model.loadedWindow !== undefined && model.loadedWindow !== model.contextWindow && (
        <span className="muted" title={modelStrings.loadedHint}>
          {modelStrings.loaded(formatTokens(model.loadedWindow))}
        </span>
      )}
    </span>
  );
}
