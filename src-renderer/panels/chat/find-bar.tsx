import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { IconButton } from '../../components/button.tsx';
import { appStrings } from '../../strings/app.ts';
import { chatStrings } from '../../strings/chat.ts';
import type { Find } from './use-find.ts';

/** The field for text to find in the conversation. */
export function FindBar({ find }: { readonly find: Find & { readonly text: string } }): ReactNode {
  const { text, count, at, change, step, close } = find;
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.select(), []);
  return (
    <search className="find-bar" aria-label={chatStrings.find.label}>
      <input
        ref={input}
        type="text"
        aria-label={chatStrings.find.label}
        placeholder={chatStrings.find.label}
        // biome-ignore lint/a11y/noAutofocus: the user asked for this field just now
        autoFocus
        value={text}
        maxLength={200}
        onChange={(event) => change(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
          if (event.key === 'Escape') {
            event.stopPropagation();
            close();
          }
        }}
      />
      <span className="find-count" role="status">
        {text === '' ? '' : chatStrings.find.count(count === 0 ? 0 : at + 1, count)}
      </span>
      <IconButton label={chatStrings.find.previous} size="small" onClick={() => step(-1)}>
        <ChevronUp aria-hidden="true" size={14} />
      </IconButton>
      <IconButton label={chatStrings.find.next} size="small" onClick={() => step(1)}>
        <ChevronDown aria-hidden="true" size={14} />
      </IconButton>
      <IconButton label={appStrings.close} size="small" onClick={close}>
        <X aria-hidden="true" size={14} />
      </IconButton>
    </search>
  );
}
