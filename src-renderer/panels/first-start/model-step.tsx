import { Download } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { ModelServer } from '#contract/entities.ts';
import { Button } from '../../components/button.tsx';
import { GetModel } from '../../components/get-model/get-model.tsx';
import { RuntimeLine } from '../../components/get-model/runtime-line.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useApp, useSession } from '../../session-context.ts';
import { loadedValue } from '../../store/selectors.ts';
import { firstStartStrings as words } from '../../strings/first-start.ts';
import { ServerCard } from '../setup-check/server-card.tsx';
import { PullFirst } from './pull-first.tsx';

/** A model that a server has, or else one to get. */
export function ModelStep(): ReactNode {
  const model = useApp((state) => state.settings?.model ?? null);
  const servers = useApp((state) => loadedValue(state.servers));
  const local = useApp((state) => loadedValue(state.localModels));
  const { settings } = useSession();
  const [isChanging, setChanging] = useState(false);
  const [isGetting, setGetting] = useState(false);
  if (model !== null && !isChanging) {
    return (
      <>
        <p className="step-line">
          <span>{words.chosen(model.name)}</span>
          <span className="spacer" />
          <Button size="small" variant="ghost" onClick={() => settings.show('models')}>
            {words.goodFor}
          </Button>
          <Button size="small" onClick={() => setChanging(true)}>
            {words.other}
          </Button>
        </p>
        {model.provider === 'embedded' && local !== null && <RuntimeLine local={local} />}
      </>
    );
  }
  if (servers === null) return <Skeleton label={words.looking} lines={4} />;
  const answering = servers.filter(isModelServer);
  const full = answering.filter(({ models }) => models.length > 0);
  return (
    <>
      <p className="muted">{words.modelHint}</p>
      {full.map((server) => (
        <ServerCard key={server.provider} server={server} />
      ))}
      {answering.some(({ kind, models }) => kind === 'ollama' && models.length === 0) && (
        <PullFirst />
      )}
      {full.length === 0 || isGetting ? (
        <GetModel />
      ) : (
        <p className="step-line">
          <Button size="small" variant="ghost" onClick={() => setGetting(true)}>
            <Download aria-hidden="true" size={14} />
            {words.get}
          </Button>
        </p>
      )}
      {model !== null && (
        <p className="step-line">
          <span className="spacer" />
          <Button size="small" onClick={() => setChanging(false)}>
            {words.keep}
          </Button>
        </p>
      )}
    </>
  );
}

/** The files of this computer are listed by themselves, and the demonstration is step three. */
function isModelServer({ kind, reachable }: ModelServer): boolean {
  return reachable && kind !== 'demo' && kind !== 'embedded';
}
