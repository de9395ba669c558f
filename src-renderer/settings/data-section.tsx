import { Stethoscope } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { useApp, useSession } from '../session-context.ts';
import { strings } from '../strings.ts';
import { settingsStrings } from './strings.ts';

const words = settingsStrings.data;

export function DataSection(): ReactNode {
  const { settings } = useSession();
  const info = useApp((state) => state.info);
  if (info === null) return null;
  return (
    <>
      <dl className="facts">
        <div>
          <dt>{words.folder}</dt>
          <dd>
            <code>{info.dataDir}</code>
            <CopyButton label={strings.app.copy} text={() => info.dataDir} />
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
          <dt>{words.door}</dt>
          <dd>{words.doors[info.door]}</dd>
        </div>
      </dl>
      <p className="muted">{words.folderHint}</p>
      <Button onClick={() => settings.showCheckup()}>
        <Stethoscope aria-hidden="true" size={14} />
        {words.checkup}
      </Button>
    </>
  );
}
