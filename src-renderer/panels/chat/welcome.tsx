import { ArrowUpRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSession } from '../../session-context.ts';
import { NEW_TASK } from '../../store/app-state.ts';
import { draftOf } from '../../store/selectors.ts';
import { chatStrings } from '../../strings/chat.ts';

/** The page of a task that does not exist yet. */
export function Welcome({ onPick }: { readonly onPick: () => void }): ReactNode {
  const { drafts, store } = useSession();
  return (
    <div className="welcome">
      <h1>{chatStrings.welcome}</h1>
      <p className="muted">{chatStrings.welcomeHint}</p>
      <ul className="examples">
        {chatStrings.examples.map((example) => (
          <li key={example}>
            <button
              type="button"
              className="example"
              onClick={() => {
                const { text } = draftOf(store.get(), NEW_TASK);
                const isFree =
                  text.trim() === '' || chatStrings.examples.some((one) => one === text);
                drafts.change(NEW_TASK, { text: isFree ? example : `${text}\n\n${example}` });
                onPick();
              }}
            >
              <span>{example}</span>
              <ArrowUpRight aria-hidden="true" size={14} />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
