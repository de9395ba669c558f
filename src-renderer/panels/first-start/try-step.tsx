import { ChartColumn, Play } from 'lucide-react';
import type { ReactNode } from 'react';
import sampleTable from '../../../resources/samples/sales.csv?raw';
import { Button } from '../../components/button.tsx';
import { useApp, useSession } from '../../session-context.ts';
import { NEW_TASK } from '../../store/app-state.ts';
import { draftOf, loadedValue } from '../../store/selectors.ts';
import { chatStrings } from '../../strings/chat.ts';
import { firstStartStrings as words } from '../../strings/first-start.ts';

const SAMPLE_NAME = 'sales.csv';

/** A first result: with the chosen model and a file that ships, or the demonstration. */
export function TryStep(): ReactNode {
  const { settings, drafts, runs, store } = useSession();
  const hasModel = useApp((state) => (state.settings?.model ?? null) !== null);
  const demo = useApp(
    (state) => loadedValue(state.servers)?.find(({ kind }) => kind === 'demo')?.models[0],
  );
  const leave = async (): Promise<void> => {
    await settings.finishSetupCheck();
    await runs.send(null);
  };
  const trySample = async (): Promise<void> => {
    drafts.change(NEW_TASK, { text: words.samplePrompt });
    const { attachments } = draftOf(store.get(), NEW_TASK);
    if (!attachments.some(({ name }) => name === SAMPLE_NAME)) {
      drafts.attach(NEW_TASK, [new File([sampleTable], SAMPLE_NAME, { type: 'text/csv' })]);
    }
    await leave();
  };
  const play = async (): Promise<void> => {
    if (demo === undefined) return;
    const model = { provider: demo.provider, name: demo.name };
    const { text } = draftOf(store.get(), NEW_TASK);
    // What was typed before is not lost: the demonstration plays for any text.
    drafts.change(NEW_TASK, { model, text: text.trim() === '' ? chatStrings.examples[0] : text });
    await leave();
  };
  return (
    <>
      <p className="muted">{words.tryHint}</p>
      <div className="get-model-line">
        <span className="get-model-text">
          <strong>{words.trySample}</strong>
          <span className="muted">{hasModel ? words.trySampleHint : words.trySampleNeeds}</span>
        </span>
        <Button
          size="small"
          variant="primary"
          disabled={!hasModel}
          aria-label={words.runOf(words.trySample)}
          onClick={() => void trySample()}
        >
          <ChartColumn aria-hidden="true" size={14} />
          {words.run}
        </Button>
      </div>
      <div className="get-model-line">
        <span className="get-model-text">
          <strong>{words.tryDemo}</strong>
          <span className="muted">{words.tryDemoHint}</span>
        </span>
        <Button
          size="small"
          disabled={demo === undefined}
          aria-label={words.runOf(words.tryDemo)}
          onClick={() => void play()}
        >
          <Play aria-hidden="true" size={14} />
          {words.run}
        </Button>
      </div>
    </>
  );
}
