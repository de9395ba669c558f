import { ArrowUpRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSession } from '../../session-context.ts';
import { NEW_TASK } from '../../store/app-state.ts';
import { chatStrings } from '../../strings/chat.ts';

/** The page of a task that does not exist yet. */
export function Welcome({ onPick }: { readonly onPick: () => void }): ReactNode {
  const { drafts } = useSession();
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
                drafts.change(NEW_TASK, { text: example });
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
