import { Hand } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTask } from '../../components/markdown/task-context.ts';
import { useApp, useSession } from '../../session-context.ts';
import type { OpenQuestion } from '../../store/selectors.ts';
import { browserStrings } from '../../strings/browser.ts';

/**
 * Below a question of the agent in a task that uses a browser: what only the user can do there, such as a sign-in, is
 * done by taking over, and answered by handing back.
 */
export function BrowserLink({
  question: { runId, interruptId, kind, toolName },
}: {
  readonly question: OpenQuestion;
}): ReactNode {
  const task = useTask();
  const { threadId } = task;
  const { browsers, runs } = useSession();
  const browser = useApp((state) => state.browsers.get(threadId ?? '') ?? null);
  if (toolName !== 'ask_user' || threadId === null || browser?.isOpen !== true) return null;
  const hasControl = browser.control === 'user';
  const use = async (): Promise<void> => {
    if (!hasControl) {
      task.show({ side: 'browser', runId });
      await browsers.control(threadId, 'take');
      return;
    }
    if (!(await browsers.control(threadId, 'hand_back'))) return;
    await runs.respond(
      runId,
      interruptId,
      kind === 'confirm' ? { action: 'confirm' } : { action: 'input', text: DONE },
    );
  };
  return (
    <button type="button" className="link question-link" onClick={() => void use()}>
      <Hand aria-hidden="true" size={14} />
      {hasControl ? browserStrings.question.done : browserStrings.question.takeOver}
    </button>
  );
}

/** For the agent, whatever the language of the window. */
const DONE = 'I did it in the browser. Look at the page again.';
