import type { ReactNode } from 'react';
import type { ConnectorDraft, ImportedConnector } from '#contract/connectors.ts';
import { makeVisible } from '#contract/visible-text.ts';
import { Button } from '../../components/button.tsx';
import { Modal } from '../../components/modal.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { connectorStrings } from '../../strings/connectors.ts';
import { ConnectorFacts, type ShownConfig } from './connector-facts.tsx';

const words = connectorStrings.confirm;

/** Shows exactly what would be added, and adds it only then. */
export function ConfirmConnector({
  found,
  place,
  onAdd,
  onSkip,
  onClose,
}: {
  readonly found: ImportedConnector;
  /** Which of how many; null for a single one. */
  readonly place: readonly [number, number] | null;
  readonly onAdd: () => void;
  readonly onSkip: () => void;
  readonly onClose: () => void;
}): ReactNode {
  const { name, draft, notes } = found;
  return (
    <Modal
      title={words.title(makeVisible(name))}
      description={draft === null ? words.cannot : words.description}
      onClose={onClose}
    >
      {place !== null && <p className="muted">{words.of(...place)}</p>}
      {draft !== null && <ConnectorFacts config={shownDraft(draft)} />}
      {notes.length > 0 && (
        <ul className="connector-notes">
          {notes.map((note) => (
            <li key={note}>
              <VisibleText text={note} />
            </li>
          ))}
        </ul>
      )}
      <div className="modal-actions">
        <Button onClick={place === null ? onClose : onSkip}>
          {place === null ? words.cancel : words.skip}
        </Button>
        {draft !== null && (
          <Button variant="primary" onClick={onAdd}>
            {words.add}
          </Button>
        )}
      </div>
    </Modal>
  );
}

function shownDraft(draft: ConnectorDraft): ShownConfig {
  if (draft.kind === 'remote') {
    const { clientSecret: secret, ...client } = draft.oauth ?? {};
    // A name of a variable is stored as it is, and so it is shown.
    const clientSecret = secret?.startsWith('${') === true ? secret : null;
    return {
      ...{ kind: 'remote', url: draft.url, variables: Object.entries(draft.headers) },
      oauth: { ...client, ...(secret === undefined ? {} : { clientSecret }) },
    };
  }
  return { ...draft, variables: Object.entries(draft.env) };
}
