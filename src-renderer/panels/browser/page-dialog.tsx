import { MessageSquareWarning } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { BrowserState } from '#contract/browser.ts';
import { Button } from '../../components/button.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { useSession } from '../../session-context.ts';
import { browserStrings } from '../../strings/browser.ts';

const words = browserStrings.dialog;

/** A page may write without end. */
const MESSAGE_SHOWN = 2_000;

interface PageDialogProps {
  readonly threadId: string;
  readonly dialog: NonNullable<BrowserState['dialog']>;
  readonly canAnswer: boolean;
  /** The user has answered. */
  readonly onAnswered: () => void;
}

/** A dialog that the page has opened, and its answer: nothing else happens in the page until then. */
export function PageDialog(props: PageDialogProps): ReactNode {
  const { threadId, dialog, canAnswer, onAnswered } = props;
  const { browsers } = useSession();
  const [text, setText] = useState('');
  const form = useRef<HTMLFormElement>(null);
  // The page takes no keys while its dialog is open.
  useEffect(() => {
    if (canAnswer) form.current?.querySelector<HTMLElement>('input, button')?.focus();
  }, [canAnswer]);
  const { kind, message } = dialog;
  const answer = async (accept: boolean): Promise<void> => {
    await browsers.go(threadId, { accept, ...(accept && kind === 'prompt' ? { text } : {}) });
    onAnswered();
  };
  const leaves = kind === 'beforeunload';
  return (
    <section className="browser-dialog" aria-label={words.title}>
      <p className="browser-dialog-title" role="status">
        <MessageSquareWarning aria-hidden="true" size={15} />
        {words.title}
      </p>
      <p className="browser-dialog-message">
        {leaves ? words.leaves : <VisibleText text={message.slice(0, MESSAGE_SHOWN)} />}
      </p>
      {canAnswer ? (
        <form
          ref={form}
          onSubmit={(event) => {
            event.preventDefault();
            void answer(true);
          }}
        >
          {kind === 'prompt' && (
            <input
              className="text-input"
              aria-label={words.answer}
              autoComplete="off"
              maxLength={10_000}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
          <div className="row">
            <Button size="small" type="submit">
              {leaves ? words.leave : words.ok}
            </Button>
            {kind !== 'alert' && (
              <Button size="small" variant="ghost" onClick={() => void answer(false)}>
                {leaves ? words.stay : words.cancel}
              </Button>
            )}
          </div>
        </form>
      ) : (
        <p className="muted">{words.forAgent}</p>
      )}
    </section>
  );
}
