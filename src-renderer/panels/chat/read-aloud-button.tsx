import { Square, Volume2 } from 'lucide-react';
import { type ReactNode, useMemo, useSyncExternalStore } from 'react';
import type { Run } from '#contract/entities.ts';
import { IconButton } from '../../components/button.tsx';
import { isMostlyChinese, spokenTexts } from '../../formatting/spoken-text.ts';
import { formatOnce } from '../../formatting/use-formatted.ts';
import { useSession } from '../../session-context.ts';
import { voiceFor } from '../../store/read-aloud.ts';
import { readAloudStrings as words } from '../../strings/read-aloud.ts';

/** Reads an answer aloud, or stops that. Not shown where no voice of this computer can read it. */
export function ReadAloudButton({
  run,
  answer,
}: {
  readonly run: Run;
  /** Markdown. */
  readonly answer: string;
}): ReactNode {
  const { readAloud, showError } = useSession();
  const { voices, reading } = useSyncExternalStore(readAloud.state.subscribe, readAloud.state.get);
  // What is not Chinese in a Chinese window is most likely English.
  const language = useMemo(() => (isMostlyChinese(answer) ? 'zh' : 'en'), [answer]);
  if (answer.trim() === '' || voiceFor(voices, language) === null) return null;
  if (reading === run.id) {
    return (
      <IconButton label={words.stop} size="small" onClick={() => readAloud.stop()}>
        <Square aria-hidden="true" size={14} />
      </IconButton>
    );
  }
  const start = async (): Promise<void> => {
    const tree = await formatOnce(answer);
    const texts = tree === null ? [] : spokenTexts(tree, language);
    if (texts.length === 0) showError(words.failed);
    else readAloud.start({ runId: run.id, threadId: run.threadId, texts, language });
  };
  return (
    <IconButton label={words.start} tip={words.startTip} size="small" onClick={() => void start()}>
      <Volume2 aria-hidden="true" size={14} />
    </IconButton>
  );
}
