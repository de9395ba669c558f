import { Download, Hammer, X } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { AppBuild, TaskApp } from '#contract/apps.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { formatBytes } from '../../format.ts';
import { useSession } from '../../session-context.ts';
import { appTabStrings as words } from '../../strings/app-tab.ts';

interface ExportProps {
  readonly app: TaskApp;
}

/** The buttons that take an app out of its task: its project, and a production build. */
export function AppExport({ app }: ExportProps): ReactNode {
  const { apps } = useSession();
  const [isSaving, setSaving] = useState(false);
  const { threadId, build } = app;
  const save = async (): Promise<void> => {
    setSaving(true);
    await apps.save(threadId, 'project');
    setSaving(false);
  };
  return (
    <>
      <IconButton
        label={words.build.start}
        tip={words.build.tip}
        size="small"
        disabled={build?.status === 'running'}
        onClick={() => void apps.build(threadId)}
      >
        <Hammer aria-hidden="true" size={15} />
      </IconButton>
      <IconButton
        label={words.save}
        tip={words.saveTip}
        size="small"
        disabled={isSaving}
        onClick={() => void save()}
      >
        <Download aria-hidden="true" size={15} />
      </IconButton>
    </>
  );
}

interface AppBuildProps extends ExportProps {
  /** Puts a problem into the message of the user. */
  readonly onFix: (text: string) => void;
}

/** How the production build goes or went, until the user closes it. */
export function AppBuildState({ app, onFix }: AppBuildProps): ReactNode {
  const { threadId, build } = app;
  const status = build?.status;
  const [isClosed, setClosed] = useState(false);
  useEffect(() => {
    if (status === 'running') setClosed(false);
  }, [status]);
  const shown = isClosed ? null : build;
  return (
    <section className="app-build" data-status={shown?.status} aria-label={words.build.start}>
      <div className="app-build-line">
        <p role="status">
          {shown?.status === 'running' && <Spinner />} {shown !== null && <Summary build={shown} />}
        </p>
        {shown !== null && <BuildButtons {...{ threadId, onFix }} build={shown} />}
        {shown !== null && shown.status !== 'running' && (
          <IconButton label={words.build.close} size="small" onClick={() => setClosed(true)}>
            <X aria-hidden="true" size={14} />
          </IconButton>
        )}
      </div>
      {shown?.problem != null && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
        <pre className="app-build-problem" aria-label={words.build.failed} role="log" tabIndex={0}>
          <VisibleText text={shown.problem} />
        </pre>
      )}
    </section>
  );
}

function Summary({ build }: { readonly build: AppBuild }): ReactNode {
  const { status, folder, files, bytes, unchecked } = build;
  if (status === 'running') return words.build.running;
  if (status === 'cancelled') return words.build.cancelled;
  if (status === 'failed') return words.build.failed;
  return (
    <>
      {folder !== null && `${words.build.made(files, formatBytes(bytes))} `}
      {unchecked ?? words.build.works}
    </>
  );
}

function BuildButtons({
  threadId,
  build,
  onFix,
}: {
  readonly threadId: string;
  readonly build: AppBuild;
  readonly onFix: (text: string) => void;
}): ReactNode {
  const { apps } = useSession();
  const { status, folder, problem } = build;
  if (status === 'running') {
    return (
      <Button size="small" onClick={() => void apps.cancelBuild(threadId)}>
        {words.build.stop}
      </Button>
    );
  }
  if (problem !== null) {
    return (
      <Button size="small" onClick={() => onFix(problem)}>
        {words.fix}
      </Button>
    );
  }
  if (status !== 'completed' || folder === null) return null;
  return (
    <Button size="small" onClick={() => void apps.save(threadId, 'build')}>
      {words.build.save}
    </Button>
  );
}
