import { Pause, Play, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import type { ModelDownload } from '#contract/local-models.ts';
import { formatBytes } from '../../format.ts';
import { useSession } from '../../session-context.ts';
import { getModelStrings as words } from '../../strings/first-start.ts';
import { useAnnounce } from '../announcer.tsx';
import { Button, IconButton } from '../button.tsx';

/** A download with its progress, and what can be done with it. */
export function DownloadLine({ download }: { readonly download: ModelDownload }): ReactNode {
  const { localModels } = useSession();
  const announce = useAnnounce();
  const { id, file, status, completedBytes, totalBytes, licence, problem } = download;
  const isActive = status === 'running' || status === 'checking';
  const before = useRef(status);
  useEffect(() => {
    if (before.current !== status && status === 'completed') announce(words.completed(file));
    if (before.current !== status && problem !== null) announce(problem);
    before.current = status;
  }, [status, problem, file, announce]);
  const done = formatBytes(completedBytes);
  return (
    <li className="get-model-line" data-status={status}>
      <span className="get-model-text">
        <strong>{file}</strong>
        {isActive && (
          <progress
            aria-label={words.progress(file)}
            value={totalBytes === null ? undefined : completedBytes}
            max={totalBytes ?? undefined}
          />
        )}
        <span className="muted">
          {words.states[status]}
          {status !== 'completed' &&
            ` · ${totalBytes === null ? done : words.of(done, formatBytes(totalBytes))}`}
        </span>
        {problem !== null && <span className="get-model-problem">{problem}</span>}
        <span className="muted">{licence === null ? words.noLicence : words.licence(licence)}</span>
      </span>
      {status === 'running' && (
        <Button
          size="small"
          aria-label={words.pause(file)}
          onClick={() => void localModels.pause(id)}
        >
          <Pause aria-hidden="true" size={14} />
          {words.pauseShort}
        </Button>
      )}
      {(status === 'paused' || status === 'failed') && (
        <Button
          size="small"
          aria-label={words.resume(file)}
          onClick={() => void localModels.resume(id)}
        >
          <Play aria-hidden="true" size={14} />
          {words.resumeShort}
        </Button>
      )}
      {status !== 'completed' && (
        <IconButton
          label={words.remove(file)}
          size="small"
          onClick={() => void localModels.remove(id)}
        >
          <X aria-hidden="true" size={14} />
        </IconButton>
      )}
    </li>
  );
}
