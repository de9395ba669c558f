import { Download, Play } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { FoundModel, LocalModels, PinnedModel } from '#contract/local-models.ts';
import { formatBytes } from '../../format.ts';
import { useApp, useSession } from '../../session-context.ts';
import { loadedValue } from '../../store/selectors.ts';
import { getModelStrings as words } from '../../strings/first-start.ts';
import { Button } from '../button.tsx';
import { Skeleton } from '../skeleton.tsx';
import { Spinner } from '../spinner.tsx';
import { DownloadLine } from './download-line.tsx';
import { OwnModel } from './own-model.tsx';
import { RuntimeLine } from './runtime-line.tsx';

/** Models without a server: files of this computer, files to download, and what loads them. */
export function GetModel(): ReactNode {
  const { localModels } = useSession();
  const state = useApp(({ localModels: loadable }) => loadable);
  useEffect(() => void localModels.load(), [localModels]);
  const local = loadedValue(state);
  if (state.phase === 'failed') {
    return (
      <p className="banner" data-tone="danger" role="alert">
        {state.problem}
      </p>
    );
  }
  if (local === null) return <Skeleton label={words.title} lines={4} />;
  const { found, downloads } = local;
  return (
    <div className="get-model">
      <StartServers local={local} />
      {found.length > 0 && (
        <section aria-label={words.found}>
          <h3>{words.found}</h3>
          <ul className="model-list">
            {found.map((model) => (
              <Found key={model.path} model={model} />
            ))}
          </ul>
        </section>
      )}
      {downloads.length > 0 && (
        <section aria-label={words.downloads}>
          <h3>{words.downloads}</h3>
          <ul className="model-list">
            {downloads.map((download) => (
              <DownloadLine key={download.id} download={download} />
            ))}
          </ul>
        </section>
      )}
      <RuntimeLine local={local} />
      <Offers local={local} />
      <OwnModel />
    </div>
  );
}

function Offers({ local: { offers, downloads, memoryBytes } }: { readonly local: LocalModels }) {
  const memory = `${Math.round(memoryBytes / 1e9)} GB`;
  const isLoading = ({ file }: PinnedModel): boolean =>
    downloads.some((one) => one.file === file && one.status !== 'completed');
  const open = offers.filter((offer) => !isLoading(offer));
  if (open.length === 0 && offers.length > 0) return null;
  return (
    <section aria-label={words.title}>
      <h3>{words.title}</h3>
      <p className="muted">{open.length === 0 ? words.noneFits(memory) : words.hint(memory)}</p>
      <ul className="model-list">
        {open.map((offer) => (
          <Offer key={offer.id} offer={offer} />
        ))}
      </ul>
    </section>
  );
}

function Offer({ offer }: { readonly offer: PinnedModel }): ReactNode {
  const session = useSession();
  const get = async (): Promise<void> => {
    const problem = await session.localModels.download({ id: offer.id });
    if (problem !== null) session.showError(problem);
  };
  return (
    <li className="get-model-line">
      <span className="get-model-text">
        <strong>{offer.label}</strong>
        <span className="muted">
          {words.size(formatBytes(offer.bytes))} · {words.licence(offer.licence)}
        </span>
      </span>
      <Button size="small" aria-label={words.downloadOf(offer.label)} onClick={() => void get()}>
        <Download aria-hidden="true" size={14} />
        {words.download}
      </Button>
    </li>
  );
}

function Found({ model }: { readonly model: FoundModel }): ReactNode {
  const { localModels } = useSession();
  const isUsed = useApp(({ settings }) => {
    const chosen = settings?.model;
    return chosen?.provider === 'embedded' && settings?.embeddedNames[model.path] === chosen.name;
  });
  return (
    <li className="get-model-line">
      <span className="get-model-text">
        <strong>{model.name}</strong>
        <span className="muted">
          {model.store} · {formatBytes(model.bytes)}
        </span>
      </span>
      {isUsed ? (
        <span className="model-choice">{words.inUse}</span>
      ) : (
        <Button
          size="small"
          aria-label={words.fileLabel(model.name)}
          onClick={() => void localModels.use(model.path)}
        >
          {words.use}
        </Button>
      )}
    </li>
  );
}

/** Servers that are installed and do not answer. */
function StartServers({ local: { startable } }: { readonly local: LocalModels }): ReactNode {
  const { localModels } = useSession();
  const servers = useApp((state) => loadedValue(state.servers));
  const [isStarting, setStarting] = useState(false);
  const start = async (id: 'ollama'): Promise<void> => {
    setStarting(true);
    await localModels.startServer(id);
    setStarting(false);
  };
  const silent = startable.filter(
    ({ id }) => servers?.find(({ provider }) => provider === id)?.reachable === false,
  );
  return silent.map(({ id, label }) => (
    <div key={id} className="get-model-line">
      <span className="get-model-text">{words.startable(label)}</span>
      <Button size="small" disabled={isStarting} onClick={() => void start(id)}>
        {isStarting ? <Spinner /> : <Play aria-hidden="true" size={14} />}
        {isStarting ? words.starting(label) : words.start(label)}
      </Button>
    </div>
  ));
}
