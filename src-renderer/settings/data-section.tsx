import { FolderOpen, Stethoscope } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { ImportButton } from '../components/import-button.tsx';
import { useApp, useSession } from '../session-context.ts';
import { appStrings } from '../strings/app.ts';
import { settingsStrings } from '../strings/settings.ts';
import { DeleteAll } from './delete-all.tsx';
import { DiagnosticsGroup } from './diagnostics.tsx';
import { useAskedFor } from './field.tsx';
import { SignInList } from './sign-in-list.tsx';
import { StoredData, useStored } from './stored-data.tsx';
import { UseGroup } from './use-group.tsx';

const words = settingsStrings.data;

export function DataSection(): ReactNode {
  const { settings } = useSession();
  const info = useApp((app) => app.info);
  const state = useStored();
  if (info === null) return null;
  return (
    <>
      <dl className="facts">
        <div>
          <dt>{words.folder}</dt>
          <dd>
            <code>{info.dataDir}</code>
            <CopyButton label={appStrings.copy} text={() => info.dataDir} />
          </dd>
        </div>
        <div>
          <dt>{words.version}</dt>
          <dd>{info.version}</dd>
        </div>
        <div>
          <dt>{words.platform}</dt>
          <dd>{info.platform}</dd>
        </div>
        <div>
          <dt>{words.entryPoint}</dt>
          <dd>{words.entryPoints[info.entryPoint]}</dd>
        </div>
      </dl>
      <p className="muted">{words.folderHint}</p>
      <StoredData {...state} />
      <SignInList />
      <UseGroup />
      <ImportRun />
      <Button onClick={() => settings.showSetupCheck()}>
        <Stethoscope aria-hidden="true" size={14} />
        {words.setupCheck}
      </Button>
      <DiagnosticsGroup />
      <DeleteAll stored={state.stored} />
    </>
  );
}

/** Imports an exported run, which is replayed here without a model. */
function ImportRun(): ReactNode {
  const session = useSession();
  const take = async (file: File): Promise<void> => {
    const text = await file.text().catch(() => null);
    if (text === null) session.showError(words.importFailed);
    else if (await session.runs.importFile(text)) session.settings.show(null);
  };
  const place = useAskedFor<HTMLElement>(words.importRun);
  return (
    <section ref={place} className="settings-group">
      <p className="muted">{words.importHint}</p>
      <ImportButton
        label={words.importRun}
        icon={FolderOpen}
        onFiles={([file]) => void take(file)}
      />
    </section>
  );
}
