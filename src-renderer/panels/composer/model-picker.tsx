import { ChevronDown, ChevronRight, Cloud, Plus, RefreshCw, Stethoscope } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { type ReactNode, useEffect, useState } from 'react';
import type { ModelRef, ModelServer } from '#contract/entities.ts';
import { MenuChoices } from '../../components/choice-menu.tsx';
import { LockNote, useLock } from '../../components/locked.tsx';
import { ModelFacts } from '../../components/model-facts.tsx';
import { useApp, useSession } from '../../session-context.ts';
import type { Draft } from '../../store/app-state.ts';
import { chooseModel } from '../../store/choose-model.ts';
import { chosenModel, loadedValue, serverOf } from '../../store/selectors.ts';
import { chooseThinking, thinkingOf } from '../../store/thinking.ts';
import { modelStrings } from '../../strings/models.ts';
import { settingsStrings } from '../../strings/settings.ts';

interface ModelPickerProps {
  readonly threadId: string | null;
  readonly draftKey: string;
  readonly draft: Draft;
}

/** The model for the next message. A choice also becomes the default of new tasks. */
export function ModelPicker({ threadId, draftKey, draft }: ModelPickerProps): ReactNode {
  const session = useSession();
  const { models, settings } = session;
  const open = useApp((state) => state.pickingModel);
  const model = useApp((state) => chosenModel(state, threadId, draft));
  const servers = useApp((state) => state.servers);
  const lock = useLock(['model']);
  const list = loadedValue(servers) ?? [];
  const server = serverOf(list, model);
  const isCloud =
    server?.models.some((entry) => entry.name === model?.name && entry.cloud) === true ||
    server?.kind === 'cloud';
  const answering = list.filter(({ reachable }) => reachable);
  const absent = list.filter(({ reachable }) => !reachable);
  useEffect(() => {
    if (open) void settings.refreshServers();
  }, [open, settings]);
  const isDemo = server?.kind === 'demo' || model?.provider === 'demo';

  const choose = (value: string): void => chooseModel(session, draftKey, fromValue(value));

  return (
    <DropdownMenu.Root modal={false} open={open} onOpenChange={(next) => models.pick(next)}>
      <DropdownMenu.Trigger asChild>
        <button type="button" className="model-button" data-missing={model === null}>
          <span className="visually-hidden">
            {(isCloud ? modelStrings.currentCloud : modelStrings.current)(
              model?.name ?? modelStrings.choose,
            )}
          </span>
          <span aria-hidden="true" className="model-name">
            {model?.name ?? modelStrings.choose}
          </span>
          {isDemo && <span className="tag">{modelStrings.demo}</span>}
          {isCloud && (
            <span className="model-cloud" title={modelStrings.cloudHint}>
              <Cloud aria-hidden="true" size={14} />
            </span>
          )}
          <ChevronDown aria-hidden="true" size={14} />
        </button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="menu model-menu"
          align="end"
          sideOffset={6}
          collisionPadding={12}
        >
          {lock === null ? (
            <DropdownMenu.RadioGroup value={toValue(model)} onValueChange={choose}>
              {answering.map((entry) => (
                <ServerGroup key={entry.provider} server={entry} />
              ))}
            </DropdownMenu.RadioGroup>
          ) : (
            <LockNote text={lock} />
          )}
          {list.length === 0 && (
            <p className="menu-note" role="status">
              {servers.phase === 'loading' ? modelStrings.loading : modelStrings.none}
            </p>
          )}
          {absent.length > 0 && <AbsentServers servers={absent} />}
          {model !== null && !isDemo && <ThinkingChoices model={model} server={server} />}
          <DropdownMenu.Separator className="menu-separator" />
          <DropdownMenu.Item
            className="menu-item"
            onSelect={() => settings.show('models', settingsStrings.models.name)}
          >
            <Plus aria-hidden="true" size={14} />
            {modelStrings.addServer}
          </DropdownMenu.Item>
          <DropdownMenu.Item
            className="menu-item"
            onSelect={(event) => {
              event.preventDefault();
              void settings.refreshServers();
            }}
          >
            <RefreshCw aria-hidden="true" size={14} />
            {servers.phase === 'loading' ? modelStrings.loading : modelStrings.refresh}
          </DropdownMenu.Item>
          <DropdownMenu.Item className="menu-item" onSelect={() => settings.showSetupCheck()}>
            <Stethoscope aria-hidden="true" size={14} />
            {modelStrings.setupCheck}
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** Whether the chosen model is asked to think, for each model that may be able to. */
function ThinkingChoices({
  model,
  server,
}: {
  readonly model: ModelRef;
  readonly server: ModelServer | null;
}): ReactNode {
  const { settings: session } = useSession();
  const settings = useApp((state) => state.settings);
  const entry = server?.models.find(({ name }) => name === model.name);
  if (settings === null || entry === undefined || entry.thinking === false) return null;
  const { auto, on, off } = modelStrings.thinkingChoices;
  return (
    <>
      <DropdownMenu.Separator className="menu-separator" />
      <MenuChoices
        title={modelStrings.thinking(model.name)}
        value={thinkingOf(settings, model)}
        choices={[
          ['auto', auto],
          ['on', on],
          ['off', off],
        ]}
        onChoose={(choice) => void session.update(chooseThinking(settings, model, choice))}
      />
    </>
  );
}

/** The servers that do not answer: a line that opens to one line for each. */
function AbsentServers({ servers }: { readonly servers: readonly ModelServer[] }): ReactNode {
  const [open, setOpen] = useState(false);
  const toggle = (event: Event): void => {
    event.preventDefault();
    setOpen(!open);
  };
  return (
    <DropdownMenu.Group>
      <DropdownMenu.Item className="menu-item menu-quiet" aria-expanded={open} onSelect={toggle}>
        <ChevronRight className="menu-fold" aria-hidden="true" size={14} />
        {modelStrings.absent(servers.length)}
      </DropdownMenu.Item>
      {open &&
        servers.map(({ provider, label, baseUrl, problem }) => (
          <p key={provider} className="absent-server" title={problem ?? undefined}>
            <span>{label}</span>
            <span className="muted ellipsis">{baseUrl}</span>
          </p>
        ))}
    </DropdownMenu.Group>
  );
}

function ServerGroup({ server }: { readonly server: ModelServer }): ReactNode {
  return (
    <DropdownMenu.Group>
      <DropdownMenu.Label className="menu-label">
        {server.label}
        {server.kind === 'demo' && <span className="menu-hint">{modelStrings.demoHint}</span>}
      </DropdownMenu.Label>
      {server.models.length === 0 && <p className="menu-note">{modelStrings.noModels}</p>}
      {server.models.map((model) => (
        <DropdownMenu.RadioItem
          key={model.name}
          className="menu-item"
          value={toValue({ provider: server.provider, name: model.name })}
        >
          <span className="menu-check" aria-hidden="true" />
          <span className="menu-text">{model.name}</span>
          <ModelFacts model={model} />
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.Group>
  );
}

function toValue(model: ModelRef | null): string {
  return model === null ? '' : `${model.provider}\n${model.name}`;
}

function fromValue(value: string): ModelRef {
  const [provider = '', name = ''] = value.split('\n');
  return { provider, name };
}
