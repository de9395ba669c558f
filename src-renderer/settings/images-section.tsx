import { RefreshCw } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import {
  IMAGE_SERVER_ADDRESSES,
  IMAGE_SERVER_LABELS,
  type ImageServerKind,
  LOCAL_IMAGE_SERVERS,
} from '#contract/images.ts';
import type { RequestOutput } from '#contract/requests.ts';
import type { Settings } from '#contract/settings.ts';
import { Button } from '../components/button.tsx';
import { Spinner } from '../components/spinner.tsx';
import { VisibleText } from '../components/visible-text.tsx';
import { useSession } from '../session-context.ts';
import { settingsStrings } from '../strings/settings.ts';
import { ChoiceSetting, SettingsGroup, TextSetting, useSettings } from './field.tsx';

const words = settingsStrings.images;
/** Each with a key of its own, which is stored with those of the models. */
const SERVICES: readonly ImageServerKind[] = ['openai', 'gemini'];
const CHOICES = Object.fromEntries([
  ['auto', words.auto],
  ...LOCAL_IMAGE_SERVERS.map((kind) => [kind, IMAGE_SERVER_LABELS[kind]]),
  ...SERVICES.map((kind) => [kind, words.service(IMAGE_SERVER_LABELS[kind])]),
]) as Readonly<Record<Settings['imageProvider'], string>>;

type ImageServer = RequestOutput<'images.servers'>['servers'][number];

interface ImageServers {
  /** Null until they were looked for. */
  readonly servers: readonly ImageServer[] | null;
  readonly problem: string | null;
  readonly isLooking: boolean;
  readonly look: () => void;
}

/** What makes pictures, where it is, and what of it answers. */
export function ImagesSection(): ReactNode {
  const { imageProvider, imageModel, imageServers, comfyuiWorkflow } = useSettings();
  const found = useImageServers(JSON.stringify([imageProvider, imageServers]));
  const models = new Set(found.servers?.flatMap(({ info }) => info?.models ?? []));
  return (
    <>
      <ChoiceSetting
        label={words.provider}
        value={imageProvider}
        choices={CHOICES}
        toChanges={(value) => ({ imageProvider: value })}
      />
      <TextSetting
        label={words.model}
        hint={words.modelHint}
        value={imageModel}
        suggestions={[...models]}
        toChanges={(text) => ({ imageModel: text })}
      />
      {LOCAL_IMAGE_SERVERS.map((kind) => (
        <TextSetting
          key={kind}
          label={words.address(IMAGE_SERVER_LABELS[kind])}
          value={imageServers[kind]}
          placeholder={IMAGE_SERVER_ADDRESSES[kind]}
          inputMode="url"
          toChanges={(text) => ({
            imageServers: { ...imageServers, [kind]: text || IMAGE_SERVER_ADDRESSES[kind] },
          })}
        />
      ))}
      <TextSetting
        label={words.workflow}
        hint={words.workflowHint}
        value={comfyuiWorkflow}
        toChanges={(text) => ({ comfyuiWorkflow: text })}
      />
      <FoundServers {...found} />
    </>
  );
}

/** The servers, looked for again whenever `cause` changes. */
function useImageServers(cause: string): ImageServers {
  const { bridge } = useSession();
  const [state, setState] = useState<Omit<ImageServers, 'look'>>({
    ...{ servers: null, problem: null, isLooking: true },
  });
  /** The newest look; the answer to an older one has nothing to say. */
  const newest = useRef(0);
  const look = useCallback(async (): Promise<void> => {
    newest.current += 1;
    const mine = newest.current;
    setState((before) => ({ ...before, isLooking: true }));
    const result = await bridge.request('images.servers', {});
    if (mine !== newest.current) return;
    setState((before) => ({
      servers: result.ok ? result.data.servers : before.servers,
      problem: result.ok ? null : result.error.message,
      isLooking: false,
    }));
  }, [bridge]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other settings name other servers
  useEffect(() => {
    void look();
    return () => {
      newest.current += 1;
    };
  }, [look, cause]);
  return { ...state, look: () => void look() };
}

function FoundServers({ servers, problem, isLooking, look }: ImageServers): ReactNode {
  // A service is asked only while it is the one in use.
  const asked = servers?.filter(({ address, info, problem: why }) => address ?? info ?? why) ?? [];
  const isNothing = servers !== null && asked.every(({ info }) => info === null);
  return (
    <SettingsGroup title={words.found}>
      <ul className="settings-list image-servers" aria-label={words.found}>
        {asked.map((server) => (
          <li key={server.kind}>
            <FoundServer {...server} />
          </li>
        ))}
      </ul>
      {isNothing && <p className="muted">{words.install}</p>}
      {problem !== null && (
        <p className="banner" data-tone="warning" role="alert">
          <VisibleText text={problem} />
        </p>
      )}
      <Button size="small" aria-disabled={isLooking} onClick={() => !isLooking && look()}>
        {isLooking ? <Spinner /> : <RefreshCw aria-hidden="true" size={14} />}
        {isLooking ? words.looking : words.look}
      </Button>
    </SettingsGroup>
  );
}

function FoundServer({ kind, address, isUsed, info, problem }: ImageServer): ReactNode {
  return (
    <>
      <strong>{IMAGE_SERVER_LABELS[kind]}</strong>
      {isUsed && (
        <span className="tag" data-tone="accent">
          {words.inUse}
        </span>
      )}
      {address !== null && (
        <code className="muted">
          <VisibleText text={address} />
        </code>
      )}
      <span className="server-status" data-tone={info === null ? 'neutral' : 'ok'}>
        {info !== null ? (
          words.models(info.models.length)
        ) : (
          <VisibleText text={problem ?? words.absent} />
        )}
      </span>
    </>
  );
}
