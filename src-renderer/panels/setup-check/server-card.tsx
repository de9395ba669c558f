import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ModelServer, ModelSummary } from '#contract/entities.ts';
import { ModelFacts } from '../../components/model-facts.tsx';
import { CheckLine } from '../../components/setup-check/check-line.tsx';
import { formatBytes } from '../../format.ts';
import { useApp, useSession } from '../../session-context.ts';
import { sameModel } from '../../store/selectors.ts';
import { modelStrings } from '../../strings/models.ts';
import { setupCheckStrings } from '../../strings/setup-check.ts';

/** A server that answers, with its models to choose from. */
export function ServerCard({ server }: { readonly server: ModelServer }): ReactNode {
  const isEmpty = server.models.length === 0;
  return (
    <CheckLine
      status={isEmpty ? 'missing' : 'ok'}
      label={server.label}
      detail={server.baseUrl}
      remedy={isEmpty ? (server.problem ?? modelStrings.noModels) : null}
    >
      {!isEmpty && (
        <ul className="model-list">
          {server.models.map((model) => (
            <ModelLine key={model.name} model={model} />
          ))}
        </ul>
      )}
    </CheckLine>
  );
}

function ModelLine({ model }: { readonly model: ModelSummary }): ReactNode {
  const session = useSession();
  const ref = { provider: model.provider, name: model.name };
  const isUsed = useApp((state) => sameModel(state.settings?.model ?? null, ref));
  const use = async (): Promise<void> => {
    const problem = await session.settings.update({ model: ref });
    if (problem !== null) session.showError(problem.message);
  };
  return (
    <li>
      <button type="button" className="model-line" aria-pressed={isUsed} onClick={() => void use()}>
        <span className="menu-text">{model.name}</span>
        <ModelFacts model={model} />
        {model.size !== null && <span className="muted">{formatBytes(model.size)}</span>}
        <span className="spacer" />
        <span className="model-choice">
          {isUsed && <Check aria-hidden="true" size={14} />}
          {isUsed ? setupCheckStrings.inUse : setupCheckStrings.use}
        </span>
      </button>
    </li>
  );
}
