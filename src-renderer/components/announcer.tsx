import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';

const AnnouncerContext = createContext<(text: string) => void>(() => undefined);

/** Says something to screen readers once they are done with what they are saying. */
export function useAnnounce(): (text: string) => void {
  return useContext(AnnouncerContext);
}

export function Announcer({ children }: { readonly children: ReactNode }): ReactNode {
  const [said, setSaid] = useState<{ readonly text: string; readonly turn: number }>({
    text: '',
    turn: 0,
  });
  const announce = useCallback(
    (text: string) => setSaid((before) => ({ text, turn: before.turn + 1 })),
    [],
  );
  return (
    <AnnouncerContext value={announce}>
      {children}
      <div className="visually-hidden" aria-live="polite" aria-atomic="true">
        {/* Another key makes the same words news again. */}
        <span key={said.turn}>{said.text}</span>
      </div>
    </AnnouncerContext>
  );
}
