import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import { formatBytes } from '../../format.ts';
import { useApp, useSession } from '../../session-context.ts';
import { modelKey } from '../../store/app-state.ts';
import { loadedValue } from '../../store/selectors.ts';
import { getModelStrings as words } from '../../strings/first-start.ts';
import { settingsStrings } from '../../strings/settings.ts';

/** A model that an Ollama without any is asked to download, by the memory of this computer. */
export function PullFirst(): ReactNode {
  const { models } = useSession();
  const memory = useApp((state) => loadedValue(state.localModels)?.memoryBytes ?? 0);
  const name = memory >= 14e9 ? 'qwen3:8b' : memory >= 7e9 ? 'qwen3:4b' : 'qwen3:1.7b';
  const model = { provider: 'ollama', name };
  const pull = useApp((state) => state.pulls.get(modelKey(model)) ?? null);
  const isRunning = pull?.status === 'running';
  return (
    <div className="get-model-line">
      <span className="get-model-text">
        {words.pullHint('Ollama')}
        {isRunning && (
          <progress
            aria-label={settingsStrings.pull.progress(name)}
            value={pull.totalBytes === null ? undefined : pull.completedBytes}
            max={pull.totalBytes ?? undefined}
          />
        )}
        {pull !== null && (
          <span className="muted">
            {pull.problem ??
              (pull.totalBytes === null
                ? pull.step
                : words.of(formatBytes(pull.completedBytes), formatBytes(pull.totalBytes)))}
          </span>
        )}
      </span>
      {isRunning ? (
        <Button size="small" onClick={() => models.cancelPull(model)}>
          {words.pauseShort}
        </Button>
      ) : (
        <Button size="small" onClick={() => void models.pull(model)}>
          <Download aria-hidden="true" size={14} />
          {words.pull(name)}
        </Button>
      )}
    </div>
  );
}
