import { FileUp } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { BrowserState } from '#contract/browser.ts';
import { Button } from '../../components/button.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { useSession } from '../../session-context.ts';
import { browserStrings } from '../../strings/browser.ts';

const words = browserStrings.chooser;

interface PageChooserProps {
  readonly threadId: string;
  readonly chooser: NonNullable<BrowserState['chooser']>;
  /** The page has its files, or none. */
  readonly onAnswered: () => void;
}

/** A page that asks for files of this computer, while the user has control. */
export function PageChooser({ threadId, chooser, onAnswered }: PageChooserProps): ReactNode {
  const { id, accept, isMultiple } = chooser;
  const { browsers } = useSession();
  const picker = useRef<HTMLInputElement>(null);
  const choose = useRef<HTMLButtonElement>(null);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => choose.current?.focus(), []);
  const give = async (files: readonly File[]): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    const isGiven = await browsers.giveFiles(threadId, id, files);
    setBusy(false);
    if (isGiven) onAnswered();
  };
  return (
    <section className="browser-dialog" aria-label={words.title(isMultiple)}>
      <p className="browser-dialog-title" role="status">
        <FileUp aria-hidden="true" size={15} />
        {words.title(isMultiple)}
      </p>
      <p className="browser-dialog-message">
        {accept !== '' && (
          <>
            {words.kinds}
            <VisibleText text={accept} />
            <br />
          </>
        )}
        {words.goesTo}
      </p>
      <input
        ref={picker}
        type="file"
        accept={accept}
        multiple={isMultiple}
        hidden
        tabIndex={-1}
        aria-label={words.choose(isMultiple)}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          // The same file may be picked again.
          target.value = '';
          if (files.length > 0) void give(files);
        }}
      />
      <div className="row">
        <Button
          size="small"
          ref={choose}
          aria-disabled={isBusy}
          onClick={() => {
            if (!isBusy) picker.current?.click();
          }}
        >
          {isBusy && <Spinner />}
          {words.choose(isMultiple)}
        </Button>
        <Button size="small" variant="ghost" aria-disabled={isBusy} onClick={() => void give([])}>
          {words.cancel}
        </Button>
      </div>
    </section>
  );
}
