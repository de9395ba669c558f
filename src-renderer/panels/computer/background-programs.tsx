import { type ReactNode, useEffect, useState } from 'react';
import type { RequestOutput } from '#contract/requests.ts';
import { Button } from '../../components/button.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { formatMoment } from '../../format.ts';
import { useApp, useSession } from '../../session-context.ts';
import { liveRun } from '../../store/selectors.ts';
import { programStrings as words } from '../../strings/computer.ts';

/** Programs can also end by themselves: how often to ask while there are some. */
const LOOK_EVERY_MS = 5_000;

/** Programs that keep running in the sandbox of a task between its runs, and a button to stop them. */
export function BackgroundPrograms({ threadId }: { readonly threadId: string }): ReactNode {
  const { bridge, showError } = useSession();
  // An active run manages its own programs.
  const isQuiet = useApp((state) => liveRun(state, threadId) === null);
  const [found, setFound] = useState<RequestOutput<'sandbox.programs'> | null>(null);
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round asks again
  useEffect(() => {
    if (!isQuiet) {
      setFound(null);
      return;
    }
    let isGone = false;
    let timer: number | undefined;
    void bridge.request('sandbox.programs', { threadId }).then((result) => {
      if (isGone) return;
      setFound(result.ok ? result.data : null);
      if (!result.ok || (result.data.isKnown && result.data.programs.length === 0)) return;
      timer = window.setTimeout(() => setRound((before) => before + 1), LOOK_EVERY_MS);
    });
    return () => {
      isGone = true;
      window.clearTimeout(timer);
    };
  }, [bridge, threadId, isQuiet, round]);

  const { programs = [], isKnown = true } = found ?? {};
  if (programs.length === 0 && isKnown) return null;
  const end = async (): Promise<void> => {
    const result = await bridge.request('sandbox.endPrograms', { threadId });
    if (!result.ok) showError(result.error.message);
    setRound((before) => before + 1);
  };
  const now = Date.now();
  return (
    <section className="programs" aria-label={words.label}>
      <div className="programs-head">
        <span>{programs.length === 0 ? words.unknown : words.title(programs.length)}</span>
        <Button size="small" onClick={() => void end()}>
          {words.end}
        </Button>
      </div>
      <ul>
        {programs.map(({ pid, command, startedAt }) => (
          <li key={`${pid} ${startedAt}`}>
            <code>
              <VisibleText text={command} />
            </code>
            <span className="muted">{words.since(formatMoment(startedAt, now), pid)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
