import './diagnostics.css';
import { Check, Copy, Download, ScrollText, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type ReactNode, useMemo, useState } from 'react';
import {
  type Diagnostics,
  type DiagnosticsSection,
  diagnosticsText,
} from '#contract/diagnostics.ts';
import { copyText } from '../bridge/clipboard.ts';
import { saveText } from '../bridge/save-file.ts';
import { useAnnounce } from '../components/announcer.tsx';
import { Button, IconButton } from '../components/button.tsx';
import { Spinner } from '../components/spinner.tsx';
import { useFocusBack } from '../components/use-focus-back.ts';
import { useLoaded } from '../components/use-loaded.ts';
import { formatBytes } from '../format.ts';
import { useSession } from '../session-context.ts';
import { appStrings } from '../strings/app.ts';
import { diagnosticsStrings as words } from '../strings/diagnostics.ts';
import { SettingsGroup } from './field.tsx';

/** Opens the diagnostics document, to be read and then saved or copied. */
export function DiagnosticsGroup(): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <SettingsGroup title={words.title}>
      <p className="muted">{words.hint}</p>
      <Button onClick={() => setOpen(true)}>
        <ScrollText aria-hidden="true" size={14} />
        {words.open}
      </Button>
      {isOpen && <DiagnosticsDialog onClose={() => setOpen(false)} />}
    </SettingsGroup>
  );
}

function DiagnosticsDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { bridge } = useSession();
  const [attempt, setAttempt] = useState(0);
  const found = useLoaded(() => bridge.request('diagnostics.get', {}), String(attempt));
  const focusBack = useFocusBack();
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay diagnostics-overlay" />
        <Dialog.Content
          className="modal diagnostics-dialog"
          data-size="large"
          onOpenAutoFocus={focusBack.onOpenAutoFocus}
          onCloseAutoFocus={focusBack.onCloseAutoFocus}
        >
          <header className="modal-header">
            <Dialog.Title className="modal-title">{words.title}</Dialog.Title>
            <Dialog.Close asChild>
              <IconButton label={appStrings.close} size="small">
                <X aria-hidden="true" size={16} />
              </IconButton>
            </Dialog.Close>
          </header>
          <div className="diagnostics">
            <Dialog.Description className="modal-description">{words.text}</Dialog.Description>
            {found === null && (
              <p className="diagnostics-wait muted" role="status">
                <Spinner />
                {words.collecting}
              </p>
            )}
            {typeof found === 'string' && (
              <>
                <p className="field-note" role="alert" data-invalid="true">
                  {words.failed} {found}
                </p>
                <Button onClick={() => setAttempt(attempt + 1)}>{words.again}</Button>
              </>
            )}
            {found !== null && typeof found !== 'string' && <Document found={found} />}
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** One text is shown, saved and copied. */
function Document({ found }: { readonly found: Diagnostics }): ReactNode {
  const session = useSession();
  const announce = useAnnounce();
  const [leftOut, setLeftOut] = useState<ReadonlySet<DiagnosticsSection>>(new Set());
  const text = useMemo(() => diagnosticsText(found, leftOut), [found, leftOut]);
  const [copied, setCopied] = useState<string | null>(null);
  const include = (section: DiagnosticsSection, isIncluded: boolean): void => {
    const next = new Set(leftOut);
    if (isIncluded) next.delete(section);
    else next.add(section);
    setLeftOut(next);
  };
  const copy = async (): Promise<void> => {
    if (await copyText(text)) {
      setCopied(text);
      announce(words.copied);
    } else session.showError(appStrings.copyFailed);
  };
  const isCopied = copied === text;
  return (
    <>
      <fieldset className="diagnostics-sections">
        <legend className="field-label">{words.include}</legend>
        {found.parts.map(({ section }) => (
          <label key={section}>
            <input
              type="checkbox"
              checked={!leftOut.has(section)}
              onChange={(event) => include(section, event.target.checked)}
            />
            {words.sections[section]}
          </label>
        ))}
      </fieldset>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
      <section className="diagnostics-text" aria-label={words.content} tabIndex={0}>
        <pre>{text}</pre>
      </section>
      <div className="diagnostics-actions">
        <span className="muted">{words.size(formatBytes(new Blob([text]).size))}</span>
        <Button onClick={() => void copy()}>
          {isCopied ? (
            <Check aria-hidden="true" size={14} />
          ) : (
            <Copy aria-hidden="true" size={14} />
          )}
          {isCopied ? words.copied : words.copy}
        </Button>
        <Button
          variant="primary"
          onClick={() => saveText(found.fileName, text, 'text/plain;charset=utf-8')}
        >
          <Download aria-hidden="true" size={14} />
          {words.save}
        </Button>
      </div>
    </>
  );
}
