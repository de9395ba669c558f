import { ScanSearch } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { OfficeCheck as Checked } from '#contract/slides.ts';
import { Button } from '../../components/button.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { Tip } from '../../components/tip.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { useSession } from '../../session-context.ts';
import { slideStrings as words } from '../../strings/slides.ts';
import type { DeckFile } from './use-deck.ts';

/** Whether LibreOffice shows the file as the preview does. */
export function OfficeCheck({ file }: { readonly file: DeckFile }): ReactNode {
  const { bridge, showError } = useSession();
  const [isChecking, setChecking] = useState(false);
  const [found, setFound] = useState<Checked | null>(null);
  const check = async (): Promise<void> => {
    if (isChecking) return;
    setChecking(true);
    setFound(null);
    const { threadId, path } = file;
    const result = await bridge.request('slides.office', { threadId, path });
    setChecking(false);
    if (result.ok) setFound(result.data);
    else showError(result.error.message);
  };
  return (
    <div className="slide-office">
      <Tip text={words.office.hint}>
        <Button
          size="small"
          variant="ghost"
          aria-disabled={isChecking}
          onClick={() => void check()}
        >
          {isChecking ? <Spinner /> : <ScanSearch aria-hidden="true" size={14} />}
          {isChecking ? words.office.checking : words.office.check}
        </Button>
      </Tip>
      <div role="status">{found !== null && <Result found={found} />}</div>
    </div>
  );
}

function Result({ found }: { readonly found: Checked }): ReactNode {
  if (found.state === 'not_checked') {
    return (
      <p className="muted">
        <VisibleText text={words.office.notChecked(found.why)} />
      </p>
    );
  }
  if (found.problems.length === 0) {
    return <p className="muted">{words.office.alike(found.alike.length)}</p>;
  }
  return (
    <ul className="slide-findings">
      {found.problems.map((problem) => (
        <li key={problem}>
          <VisibleText text={problem} />
        </li>
      ))}
    </ul>
  );
}
