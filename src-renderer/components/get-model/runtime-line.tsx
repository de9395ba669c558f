import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import type { LocalModels } from '#contract/local-models.ts';
import { useApp, useSession } from '../../session-context.ts';
import { getModelStrings as words } from '../../strings/first-start.ts';
import { Button } from '../button.tsx';
import { CopyButton } from '../copy-button.tsx';
import { Spinner } from '../spinner.tsx';

/** What loads model files, once there is one that needs it. */
export function RuntimeLine({ local }: { readonly local: LocalModels }): ReactNode {
  const { localModels } = useSession();
  const { runtime, downloads } = local;
  const hasFile = useApp(({ settings }) => (settings?.embeddedModels.length ?? 0) > 0);
  if (runtime === 'ready' || (!hasFile && downloads.length === 0)) return null;
  return (
    <div className="get-model-line">
      <span className="get-model-text">
        <strong>{words.runtime}</strong>
        <span className="muted">
          {runtime === 'missing' ? (
            <>
              {words.runtimeMissing} <code>{words.runtimeCommand}</code>
            </>
          ) : (
            words.runtimeHint
          )}
        </span>
      </span>
      {runtime === 'missing' ? (
        <CopyButton
          label={words.copyCommand(words.runtimeCommand)}
          text={() => words.runtimeCommand}
        />
      ) : (
        <Button
          size="small"
          variant="primary"
          disabled={runtime === 'installing'}
          onClick={() => void localModels.installRuntime()}
        >
          {runtime === 'installing' ? <Spinner /> : <Download aria-hidden="true" size={14} />}
          {runtime === 'installing' ? words.installing : words.install}
        </Button>
      )}
    </div>
  );
}
