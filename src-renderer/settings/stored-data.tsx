import './user-data.css';
import { Download, Square } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import type { RequestOutput } from '#contract/requests.ts';
import type { DataExport } from '#contract/user-data.ts';
import { loadPath } from '../bridge/save-file.ts';
import { Button } from '../components/button.tsx';
import { Spinner } from '../components/spinner.tsx';
import { formatBytes, listOf } from '../format.ts';
import { useApp, useSession } from '../session-context.ts';
import { userDataStrings as words } from '../strings/user-data.ts';
import { SettingsGroup } from './field.tsx';

type Stored = RequestOutput<'data.get'>;

/** What is stored, as it was when the page was opened. */
export interface StoredState {
  /** Null until it is known. */
  readonly stored: Stored | null;
  readonly problem: string | null;
}

/** Measures what is stored, once. */
export function useStored(): StoredState {
  const { bridge } = useSession();
  const [stored, setStored] = useState<Stored | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const load = useCallback(async () => {
    const result = await bridge.request('data.get', {});
    if (result.ok) setStored(result.data);
    else setProblem(result.error.message);
  }, [bridge]);
  useEffect(() => {
    void load();
  }, [load]);
  return { stored, problem };
}

/** What is stored and how large it is, and the export of it. */
export function StoredData({ stored, problem }: StoredState): ReactNode {
  return (
    <>
      <SettingsGroup title={words.title}>
        {problem !== null && (
          <p className="field-note" role="alert" data-invalid="true">
            {words.failed} {problem}
          </p>
        )}
        {stored === null && problem === null && <Spinner />}
        {stored !== null && <Parts stored={stored} />}
      </SettingsGroup>
      <ExportGroup earlier={stored?.export ?? null} keys={stored?.keys ?? []} />
    </>
  );
}

function Parts({ stored }: { readonly stored: Stored }): ReactNode {
  const shown = stored.parts.filter(({ files }) => files > 0);
  const total = shown.reduce((sum, { bytes }) => sum + bytes, 0);
  return (
    <table className="stored-parts" aria-label={words.title}>
      <tbody>
        {shown.map(({ kind, path, bytes, files, isExported }) => (
          <tr key={kind}>
            <th scope="row" title={path}>
              {words.kinds[kind]} <code className="muted">{path.split(/[\\/]/).at(-1)}</code>
            </th>
            <td>{formatBytes(bytes)}</td>
            <td className="muted">
              {words.files(files)}
              {!isExported && ` · ${words.notExported}`}
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{words.total}</th>
          <td>{formatBytes(total)}</td>
          <td />
        </tr>
      </tfoot>
    </table>
  );
}

function ExportGroup({
  earlier,
  keys,
}: {
  /** As it was when the settings were opened. */
  readonly earlier: DataExport | null;
  readonly keys: readonly string[];
}): ReactNode {
  const { bridge, store } = useSession();
  const current = useApp((state) => state.dataExport) ?? earlier;
  const [problem, setProblem] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const start = async (): Promise<void> => {
    setProblem(null);
    setAsking(true);
    const result = await bridge.request('data.export', {});
    setAsking(false);
    if (!result.ok) {
      setProblem(result.error.message);
      return;
    }
    const { export: started, download } = result.data;
    // What main published of it since is newer.
    store.update((state) =>
      started === null || state.dataExport?.id === started.id
        ? state
        : { ...state, dataExport: started },
    );
    if (download !== null) loadPath(download);
  };
  const isRunning = current?.status === 'running';
  const why = problem ?? (current?.status === 'failed' ? current.problem : null);
  return (
    <SettingsGroup title={words.export.title}>
      <p className="muted">
        {words.export.hint}
        {keys.length > 0 && ` ${words.export.keys(listOf(keys))}`}
      </p>
      <div className="data-export">
        {isRunning ? (
          <Button onClick={() => void bridge.request('data.cancelExport', {})}>
            <Square aria-hidden="true" size={12} />
            {words.export.stop}
          </Button>
        ) : (
          <Button disabled={isAsking} onClick={() => void start()}>
            <Download aria-hidden="true" size={14} />
            {words.export.start}
          </Button>
        )}
        {isRunning && (
          <progress
            aria-label={words.export.progress}
            value={current.doneTasks}
            max={Math.max(current.tasks, 1)}
          />
        )}
        <span className="muted" role="status">
          {current !== null && problem === null && stateOf(current)}
        </span>
      </div>
      {why !== null && (
        <p className="field-note" role="alert" data-invalid="true">
          {why}
        </p>
      )}
    </SettingsGroup>
  );
}

function stateOf({ status, doneTasks, tasks, bytes, file, leftOut }: DataExport): string {
  const size = formatBytes(bytes);
  switch (status) {
    case 'waiting':
      return words.export.waiting;
    case 'running':
      return words.export.running(doneTasks, tasks, size);
    case 'completed': {
      const end = file === null ? words.export.downloaded(size) : words.export.saved(file, size);
      return leftOut === 0 ? end : `${end} ${words.export.leftOut(leftOut)}`;
    }
    case 'cancelled':
      return words.export.cancelled;
    case 'failed':
      return '';
  }
}
