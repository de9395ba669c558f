import { KeyRound } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import type { BrowserState } from '#contract/browser.ts';
import type { RequestOutput } from '#contract/requests.ts';
import { SIGN_IN_NAME_CHARS } from '#contract/sign-ins.ts';
import { makeVisible } from '#contract/visible-text.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Modal } from '../../components/modal.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { useSession } from '../../session-context.ts';
import { appStrings } from '../../strings/app.ts';
import { signInStrings as words } from '../../strings/sign-ins.ts';

type Stored = RequestOutput<'signIns.list'>;

/** Saves what the user is signed in to, or uses what they saved; shown while they have control. */
export function SignInMenu({ browser }: { readonly browser: BrowserState }): ReactNode {
  const session = useSession();
  const { threadId, tabs, tabId } = browser;
  const [stored, setStored] = useState<Stored | null>(null);
  const [isSaving, setSaving] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const site = siteOf(tabs.find(({ id }) => id === tabId)?.url ?? '');
  const read = async (): Promise<void> => {
    const result = await session.bridge.request('signIns.list', {});
    if (result.ok) setStored(result.data);
    else session.showError(result.error.message);
  };
  const canSave = stored !== null && stored.storage !== null && site !== null;
  return (
    <>
      <DropdownMenu.Root
        modal={false}
        onOpenChange={(open) => {
          if (open) void read();
        }}
      >
        {/* A wrapper keeps the two sets of state attributes apart. */}
        <span>
          <DropdownMenu.Trigger asChild>
            <IconButton label={words.menu} size="small" ref={trigger}>
              <KeyRound aria-hidden="true" size={15} />
            </IconButton>
          </DropdownMenu.Trigger>
        </span>
        <DropdownMenu.Portal>
          <DropdownMenu.Content
            className="menu sign-in-menu"
            align="end"
            sideOffset={4}
            collisionPadding={12}
          >
            <DropdownMenu.Item
              className="menu-item"
              disabled={!canSave}
              onSelect={() => setSaving(true)}
            >
              {words.save.open}
            </DropdownMenu.Item>
            <DropdownMenu.Separator className="menu-separator" />
            {stored?.storage === null ? (
              <DropdownMenu.Label className="menu-note">{words.noStorage}</DropdownMenu.Label>
            ) : (
              <DropdownMenu.Group aria-label={words.use}>
                <DropdownMenu.Label className="menu-note">
                  {stored?.signIns.length === 0 ? words.none : words.use}
                </DropdownMenu.Label>
                {stored?.signIns.map(({ id, name, site: of }) => (
                  <DropdownMenu.Item
                    key={id}
                    className="menu-item"
                    onSelect={() => void session.browsers.signIn(threadId, id)}
                  >
                    <span className="menu-choice">
                      <VisibleText text={name} />
                    </span>
                    <span className="muted">
                      <VisibleText text={hostOf(of)} />
                    </span>
                  </DropdownMenu.Item>
                ))}
              </DropdownMenu.Group>
            )}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      {isSaving && site !== null && (
        <SaveDialog
          {...{ threadId, site }}
          storage={stored?.storage ?? ''}
          onClose={() => {
            setSaving(false);
            // The menu that had the focus is gone.
            requestAnimationFrame(() => trigger.current?.focus());
          }}
        />
      )}
    </>
  );
}

function SaveDialog({
  threadId,
  site,
  storage,
  onClose,
}: {
  readonly threadId: string;
  readonly site: string;
  readonly storage: string;
  readonly onClose: () => void;
}): ReactNode {
  const { bridge } = useSession();
  const [name, setName] = useState(() => makeVisible(hostOf(site)));
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<{
    readonly text: string;
    readonly isTaken: boolean;
  } | null>(null);
  const replace = problem?.isTaken === true;
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy || name.trim() === '') return;
    setBusy(true);
    const result = await bridge.request('signIns.save', { threadId, name, replace });
    setBusy(false);
    if (result.ok) onClose();
    else {
      const { message, details } = result.error;
      setProblem({ text: message, isTaken: details.isTaken === true });
    }
  };
  return (
    <Modal
      title={words.save.title}
      description={words.save.hint(makeVisible(site), storage)}
      onClose={onClose}
    >
      <form className="sign-in-form" onSubmit={(event) => void submit(event)}>
        <label className="field">
          <span className="field-label">{words.save.name}</span>
          <input
            className="text-input"
            value={name}
            maxLength={SIGN_IN_NAME_CHARS}
            spellCheck={false}
            autoComplete="off"
            aria-invalid={problem !== null}
            onFocus={(event) => event.target.select()}
            onChange={(event) => {
              setName(event.target.value);
              setProblem(null);
            }}
          />
        </label>
        {problem !== null && (
          <p className="field-note" role="alert" data-invalid="true">
            <VisibleText text={problem.text} />
          </p>
        )}
        <div className="modal-actions">
          <Button onClick={onClose}>{appStrings.cancel}</Button>
          <Button type="submit" variant="primary" disabled={busy || name.trim() === ''}>
            {replace ? words.save.replace : words.save.confirm}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

function siteOf(url: string): string | null {
  const parts = URL.parse(url);
  return parts !== null && /^https?:$/.test(parts.protocol) ? parts.origin : null;
}

function hostOf(site: string): string {
  return URL.parse(site)?.host ?? site;
}
