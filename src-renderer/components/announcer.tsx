import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';

const AnnouncerContext = createContext<(text: string) => void>(() => undefined);

/** Says something to screen readers once they are done with what they are saying. */
export function useAnnounce(): (text: string) => void {
  return useContext(AnnouncerContext);
}

export function Announcer({ children }: { readonly children: ReactNode }): ReactNode {
  const [message, setMessage] = useState<{ readonly text: string; readonly turn: number }>({
    text: '',
    turn: 0,
  });
  const announce = useCallback(
    (text: string) => setMessage((before) => ({ text, turn: before.turn + 1 })),
    [],
  );
  return (
    <AnnouncerContext value={announce}>
      {children}
      <div className="visually-hidden" aria-live="polite" aria-atomic="true">
        {/* Another key, so that the same text is announced again. */}
        <span key={message.turn}>{message.text}</span>
      </div>
    </AnnouncerContext>
  );
}
