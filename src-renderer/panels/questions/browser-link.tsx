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
export function BrowserLink({ question }: { readonly question: OpenQuestion }): ReactNode {
  const { runId } = question;
  const task = useTask();
  const { threadId } = task;
  const { browsers } = useSession();
  const browser = useApp((state) => state.browsers.get(threadId ?? '') ?? null);
  if (!isAnsweredInBrowser(question) || threadId === null || browser?.isOpen !== true) return null;
  if (browser.control === 'user') return <HandBackAnswer {...{ threadId, question }} />;
  const take = async (): Promise<void> => {
    task.show({ side: 'browser', runId });
    await browsers.control(threadId, 'take');
  };
  return (
    <button type="button" className="link question-link" onClick={() => void take()}>
      <Hand aria-hidden="true" size={14} />
      {browserStrings.question.takeOver}
    </button>
  );
}

/** Whether it may be answered by what the user did in the browser. */
export function isAnsweredInBrowser({ toolName }: OpenQuestion): boolean {
  return toolName === 'ask_user';
}

/** Hands the browser back, and answers the question by that. */
export function HandBackAnswer({
  threadId,
  question: { runId, interruptId, kind },
}: {
  readonly threadId: string;
  readonly question: OpenQuestion;
}): ReactNode {
  const { browsers, runs } = useSession();
  const answer = async (): Promise<void> => {
    if (!(await browsers.control(threadId, 'hand_back'))) return;
    await runs.respond(
      runId,
      interruptId,
      kind === 'confirm' ? { action: 'confirm' } : { action: 'input', text: DONE },
    );
  };
  return (
    <button type="button" className="link question-link" onClick={() => void answer()}>
      <Hand aria-hidden="true" size={14} />
      {browserStrings.question.done}
    </button>
  );
}

/** For the agent, whatever the language of the window. */
const DONE = 'I did it in the browser. Look at the page again.';
