import { ArrowRight, Play, RefreshCw } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import type { CheckupReport, ModelRef, ModelServer } from '#contract/entities.ts';
import { Button } from '../../components/button.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { useApp, useSession } from '../../session-context.ts';
import { NEW_TASK } from '../../store/app-state.ts';
import { loadedValue } from '../../store/selectors.ts';
import { strings } from '../../strings.ts';
import { CheckLine } from './check-line.tsx';
import { SandboxLine } from './sandbox-line.tsx';
import { ServerCard } from './server-card.tsx';

/** What this computer has that the app can use, and the one thing to do about what is missing. */
export function CheckupPage(): ReactNode {
  const { settings } = useSession();
  const checkup = useApp((state) => state.checkup);
  const isFirst = useApp((state) => state.settings?.checkupSeen === false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const report = loadedValue(checkup);
  return (
    <main className="checkup">
      <div className="checkup-column">
        <header className="checkup-header">
          <h1 ref={heading} tabIndex={-1}>
            {isFirst ? strings.checkup.welcome : strings.checkup.title}
          </h1>
          <p className="muted">{strings.checkup.intro}</p>
        </header>
        {checkup.phase === 'failed' && (
          <p className="banner" data-tone="danger" role="alert">
            {strings.checkup.failed} {checkup.problem}
          </p>
        )}
        {report === null ? (
          checkup.phase !== 'failed' && <Skeleton label={strings.checkup.running} lines={9} />
        ) : (
          <Report report={report} />
        )}
        <footer className="checkup-footer">
          <Button
            variant="ghost"
            disabled={checkup.phase === 'loading'}
            onClick={() => void settings.runCheckup()}
          >
            {checkup.phase === 'loading' ? <Spinner /> : <RefreshCw aria-hidden="true" size={14} />}
            {checkup.phase === 'loading' ? strings.checkup.running : strings.checkup.again}
          </Button>
          {report !== null && (
            <span className="muted">{strings.checkup.version(report.version)}</span>
          )}
          <span className="spacer" />
          <StartButton />
        </footer>
      </div>
    </main>
  );
}

function StartButton(): ReactNode {
  const { settings } = useSession();
  const model = useApp((state) => state.settings?.model ?? null);
  return (
    <Button
      variant={model === null ? 'secondary' : 'primary'}
      onClick={() => void settings.finishCheckup()}
    >
      {model === null ? strings.checkup.startWithout : strings.checkup.start}
      <ArrowRight aria-hidden="true" size={14} />
    </Button>
  );
}

function Report({ report }: { readonly report: CheckupReport }): ReactNode {
  const servers = report.servers.filter((server) => server.kind !== 'demo');
  const found = servers.filter((server) => server.reachable);
  const absent = servers.filter((server) => !server.reachable);
  const demo = report.servers.find((server) => server.kind === 'demo');
  return (
    <>
      <section className="checkup-section" aria-labelledby="checkup-models">
        <h2 id="checkup-models">{strings.checkup.models}</h2>
        {found.length === 0 && (
          <CheckLine
            status="missing"
            label={strings.checkup.modelsNone}
            detail=""
            remedy={strings.checkup.modelsHint}
          />
        )}
        {found.map((server) => (
          <ServerCard key={server.provider} server={server} />
        ))}
        {absent.length > 0 && <Absent servers={absent} />}
      </section>
      {demo !== undefined && <DemoCard server={demo} />}
      <section className="checkup-section" aria-labelledby="checkup-sandboxes">
        <h2 id="checkup-sandboxes">{strings.checkup.sandboxes}</h2>
        {report.sandboxes.map((sandbox) => (
          <SandboxLine key={sandbox.kind} sandbox={sandbox} />
        ))}
      </section>
      {report.items.length > 0 && (
        <section className="checkup-section" aria-labelledby="checkup-others">
          <h2 id="checkup-others">{strings.checkup.others}</h2>
          {report.items.map((item) => (
            <CheckLine key={item.id} {...item} />
          ))}
        </section>
      )}
    </>
  );
}

/** Servers that were set up by hand are told one by one; the usual ones in a line. */
function Absent({ servers }: { readonly servers: readonly ModelServer[] }): ReactNode {
  return (
    <p className="muted absent-servers">
      {strings.checkup.notFound}: {servers.map((server) => server.label).join(', ')}
    </p>
  );
}

/** The demonstration is only ever chosen by this button, and says what it is. */
function DemoCard({ server }: { readonly server: ModelServer }): ReactNode {
  const { settings, drafts } = useSession();
  const script = server.models[0];
  if (script === undefined) return null;
  const model: ModelRef = { provider: server.provider, name: script.name };
  const play = (): void => {
    drafts.change(NEW_TASK, { model, text: strings.chat.examples[0] });
    void settings.finishCheckup();
  };
  return (
    <section className="demo-card" aria-labelledby="checkup-demo">
      <div>
        <h2 id="checkup-demo">{strings.checkup.demoTitle}</h2>
        <p className="muted">{strings.checkup.demoText}</p>
      </div>
      <Button onClick={play}>
        <Play aria-hidden="true" size={14} />
        {strings.checkup.tryDemo}
      </Button>
    </section>
  );
}
