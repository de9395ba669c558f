import { ChevronRight, Trash2 } from 'lucide-react';
import { AlertDialog, Collapsible } from 'radix-ui';
import { type MouseEvent, type ReactNode, useRef, useState } from 'react';
import type { Connector } from '#contract/connectors.ts';
import { makeVisible } from '#contract/visible-text.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { formatCount } from '../../format.ts';
import { useSession } from '../../session-context.ts';
import { connectorStrings as words } from '../../strings/connectors.ts';
import { SettingsGroup, TextSetting, toNumber, useSettings } from '../field.tsx';
import { AddConnector } from './add-connector.tsx';
import { ConnectorDetails } from './connector-details.tsx';
import './connectors.css';
import { useConnectors } from './use-connectors.ts';

/** The user's MCP servers: their state, their tools, and forms to add more. */
export function ConnectorsSection(): ReactNode {
  const session = useSession();
  const { connectorSharePercent } = useSettings();
  const list = useConnectors();
  const [leaving, setLeaving] = useState<Connector | null>(null);
  const place = useRef<HTMLUListElement>(null);
  /** What asked for the removal; null once its connector is removed. */
  const opener = useRef<HTMLElement | null>(null);
  const remove = async ({ id }: Connector): Promise<void> => {
    setLeaving(null);
    opener.current = null;
    const result = await session.bridge.request('connectors.remove', { connectorId: id });
    if (!result.ok) session.showError(result.error.message);
    // Its button is gone.
    place.current?.focus();
  };
  return (
    <>
      <p className="muted">{words.hint}</p>
      <SettingsGroup title={words.list}>
        {list?.connectors.length === 0 && <p className="muted">{words.none}</p>}
        <ul ref={place} className="settings-list" tabIndex={-1}>
          {list?.connectors.map((connector) => (
            <li key={connector.id} className="installed-model">
              <ConnectorRow
                connector={connector}
                onRemove={({ currentTarget }) => {
                  opener.current = currentTarget;
                  setLeaving(connector);
                }}
              />
            </li>
          ))}
        </ul>
      </SettingsGroup>
      {list !== null && <AddConnector storage={list.storage} />}
      <SettingsGroup title={words.window}>
        <TextSetting
          label={words.share}
          hint={words.shareHint}
          value={String(connectorSharePercent)}
          inputMode="decimal"
          toChanges={(text) => ({ connectorSharePercent: toNumber(text) })}
        />
      </SettingsGroup>
      {leaving !== null && (
        <RemoveConnector
          name={leaving.name}
          onClose={() => setLeaving(null)}
          onClosed={() => (opener.current ?? place.current)?.focus()}
          onRemove={() => void remove(leaving)}
        />
      )}
    </>
  );
}

function ConnectorRow({
  connector,
  onRemove,
}: {
  readonly connector: Connector;
  readonly onRemove: (event: MouseEvent<HTMLElement>) => void;
}): ReactNode {
  const [open, setOpen] = useState(false);
  const { name, state, tools } = connector;
  return (
    <Collapsible.Root open={open} onOpenChange={setOpen}>
      <div className="connector-line">
        <Collapsible.Trigger className="installed-trigger">
          <ChevronRight aria-hidden="true" size={14} />
          <strong>{name}</strong>
          <span className="connector-state" data-state={state}>
            {words.states[state]}
          </span>
          <span className="spacer" />
          {tools.waiting > 0 && (
            <span className="connector-waiting">{words.waiting(tools.waiting)}</span>
          )}
          <span className="muted connector-count">
            {words.tools(tools.usable)}
            {tools.tokens > 0 && ` · ${words.cost(formatCount(tools.tokens))}`}
          </span>
        </Collapsible.Trigger>
        <IconButton label={words.remove(makeVisible(name))} size="small" onClick={onRemove}>
          <Trash2 aria-hidden="true" size={14} />
        </IconButton>
      </div>
      <Collapsible.Content className="installed-details">
        <ConnectorDetails connector={connector} />
      </Collapsible.Content>
    </Collapsible.Root>
  );
}

function RemoveConnector({
  name,
  onClose,
  onClosed,
  onRemove,
}: {
  readonly name: string;
  readonly onClose: () => void;
  /** Brings the focus back: no trigger of the dialog does. */
  readonly onClosed: () => void;
  readonly onRemove: () => void;
}): ReactNode {
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="overlay delete-all-overlay" />
        <AlertDialog.Content
          className="modal delete-all-dialog"
          data-size="small"
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            onClosed();
          }}
        >
          <AlertDialog.Title className="modal-title">{words.removal.title}</AlertDialog.Title>
          <AlertDialog.Description className="modal-description">
            {words.removal.text(name)}
          </AlertDialog.Description>
          <div className="modal-actions">
            <AlertDialog.Cancel asChild>
              <Button>{words.removal.keep}</Button>
            </AlertDialog.Cancel>
            <Button variant="danger" onClick={onRemove}>
              {words.removal.confirm}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
