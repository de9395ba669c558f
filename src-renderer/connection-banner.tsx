import { KeyRound, ShieldX, Trash2, WifiOff } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { EmptyState } from './components/empty-state.tsx';
import { useApp } from './session-context.ts';
import { appStrings } from './strings/app.ts';
import { policyStrings } from './strings/policy.ts';

/** `hyperagent doctor --policy` lists all. */
const SHOWN_PROBLEMS = 3;

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

/** Says that the policy of this computer is wrong: until it is corrected, the app only reads. */
export function PolicyBanner(): ReactNode {
  const policy = useApp((state) => state.info?.policy ?? null);
  if (policy?.state !== 'invalid') return null;
  return (
    <div className="connection-banner policy-banner" role="alert">
      <ShieldX aria-hidden="true" size={15} />
      <div>
        {policyStrings.invalid}
        <ul>
          {policy.problems.slice(0, SHOWN_PROBLEMS).map(({ line, text }) => (
            <li key={`${line} ${text}`}>{policyStrings.problem(policy.source, line, text)}</li>
          ))}
        </ul>
      </div>
    </div>
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
