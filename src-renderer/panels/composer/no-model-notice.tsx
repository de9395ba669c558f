import { Bot } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { Button } from '../../components/button.tsx';
import { useApp, useSession } from '../../session-context.ts';
import { loadedValue } from '../../store/selectors.ts';
import { modelStrings } from '../../strings/models.ts';

const words = modelStrings.missing;

/** Says that a message needs a model, and leads to one: those that are there, else where to get one. */
export function NoModelNotice({
  draftKey,
  firstButton,
  onChoose,
}: {
  readonly draftKey: string;
  /** Gets the focus when the user sends without a model. */
  readonly firstButton: Ref<HTMLButtonElement>;
  readonly onChoose: () => void;
}): ReactNode {
  const { settings, drafts } = useSession();
  const servers = useApp((state) => state.servers);
  const list = loadedValue(servers) ?? [];
  const hasModels = list.some(({ kind, models }) => kind !== 'demo' && models.length > 0);
  const demo = list.find(({ kind }) => kind === 'demo')?.models[0];
  const isLooking = servers.phase === 'loading' && list.length === 0;
  return (
    <div className="composer-notice" role="status">
      <Bot aria-hidden="true" size={15} />
      <span className="composer-notice-text">
        {isLooking ? modelStrings.loading : hasModels ? words.choose : words.none}
      </span>
      {hasModels ? (
        <Button ref={firstButton} size="small" variant="primary" onClick={onChoose}>
          {modelStrings.choose}
        </Button>
      ) : (
        <Button
          ref={firstButton}
          size="small"
          variant="primary"
          onClick={() => settings.showSetupCheck()}
        >
          {words.get}
        </Button>
      )}
      <Button size="small" onClick={() => settings.show('models')}>
        {modelStrings.openSettings}
      </Button>
      {demo !== undefined && (
        <Button
          size="small"
          onClick={() =>
            drafts.change(draftKey, { model: { provider: demo.provider, name: demo.name } })
          }
        >
          {words.demo}
        </Button>
      )}
    </div>
  );
}
