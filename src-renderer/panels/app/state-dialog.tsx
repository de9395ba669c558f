import { RotateCcw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { AppState } from '#contract/apps.ts';
import { useAnnounce } from '../../components/announcer.tsx';
import { Button } from '../../components/button.tsx';
import { Modal } from '../../components/modal.tsx';
import { useNow } from '../../components/use-now.ts';
import { formatMoment } from '../../format.ts';
import { useSession } from '../../session-context.ts';
import { appTabStrings } from '../../strings/app-tab.ts';
import { SnapshotChanges } from '../computer/snapshot-changes.tsx';
import { StatePicture, titleOfState } from './state-picture.tsx';

const words = appTabStrings.states;

interface StateDialogProps {
  readonly threadId: string;
  readonly state: AppState;
  /** A run is going on, so nothing can be restored. */
  readonly isBusy: boolean;
  readonly onClose: () => void;
  readonly onWentBack: () => void;
}

/** A state of the app: what it looked like, what changed with it, and the way back to it. */
export function StateDialog(props: StateDialogProps): ReactNode {
  const { threadId, state, isBusy, onClose, onWentBack } = props;
  const { apps } = useSession();
  const announce = useAnnounce();
  const now = useNow(true, 60_000);
  const [isGoing, setGoing] = useState(false);
  const { snapshotId, since, at, isCurrent } = state;
  const goBack = async (): Promise<void> => {
    setGoing(true);
    const isBack = await apps.goBack(threadId, snapshotId);
    setGoing(false);
    if (!isBack) return;
    announce(words.wentBack);
    onWentBack();
  };
  return (
    <Modal title={titleOfState(state)} size="large" onClose={onClose}>
      <div className="app-state-body">
        <p className="muted app-state-time">{formatMoment(at, now)}</p>
        <StatePicture {...{ threadId, state }} alt={words.picture} />
        <h3 className="app-state-heading">{words.changes}</h3>
        {since === null ? (
          <p className="muted">{words.first}</p>
        ) : (
          <SnapshotChanges snapshot={{ id: snapshotId, threadId }} since={since} ownOnly />
        )}
      </div>
      <footer className="app-state-footer">
        <p className="muted">{isBusy ? words.busy : isCurrent ? words.isNow : words.note}</p>
        <Button
          variant={isCurrent ? 'secondary' : 'primary'}
          disabled={isBusy || isGoing}
          onClick={() => void goBack()}
        >
          <RotateCcw aria-hidden="true" size={14} />
          {words.back}
        </Button>
      </footer>
    </Modal>
  );
}
