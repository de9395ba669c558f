import { KeyRound, Trash2, WifiOff } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { EmptyState } from './components/empty-state.tsx';
import { useApp } from './session-context.ts';
import { appStrings } from './strings/app.ts';

/** Says that the connection to the app is lost. Its runs continue. */
export function ConnectionBanner(): ReactNode {
  const lost = useApp((state) => state.connection === 'lost');
  if (!lost) return null;
  return (
    <p className="connection-banner" role="alert">
      <WifiOff aria-hidden="true" size={15} />
      {appStrings.connection.lost}
    </p>
  );
}

/** The page was opened without its token, or with one from an earlier start. */
export function AccessNeeded(): ReactNode {
  return (
    <main className="no-way-in">
      <h1>{appStrings.connection.refusedTitle}</h1>
      <EmptyState icon={KeyRound} text={appStrings.connection.refused} />
    </main>
  );
}

/** All data was deleted from here: nothing of it stays in the window either. */
export function AllDeleted({ next }: { readonly next: 'restarts' | 'ends' }): ReactNode {
  useEffect(() => {
    localStorage.clear();
    sessionStorage.clear();
  }, []);
  return (
    <main className="no-way-in">
      <h1>{appStrings.deleted.title}</h1>
      <EmptyState icon={Trash2} text={appStrings.deleted[next]} />
    </main>
  );
}
