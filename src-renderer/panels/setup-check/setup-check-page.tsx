import { ArrowRight, Play, RefreshCw } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import type { ModelRef, ModelServer, SetupReport } from '#contract/entities.ts';
import { Button } from '../../components/button.tsx';
import { GetModel } from '../../components/get-model/get-model.tsx';
import { CheckLine } from '../../components/setup-check/check-line.tsx';
import { SandboxLine } from '../../components/setup-check/sandbox-line.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { listOf } from '../../format.ts';
import { useApp, useSession } from '../../session-context.ts';
import { NEW_TASK } from '../../store/app-state.ts';
import { draftOf, loadedValue } from '../../store/selectors.ts';
import { chatStrings } from '../../strings/chat.ts';
import { firstStartStrings } from '../../strings/first-start.ts';
import { setupCheckStrings } from '../../strings/setup-check.ts';
import { ServerCard } from './server-card.tsx';

/** What the app can use on this computer, and what to do about what is missing. */
export function SetupCheckPage(): ReactNode {
  const { settings } = useSession();
  const setupCheck = useApp((state) => state.setupCheck);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  useCheckAgain();
  const report = loadedValue(setupCheck);
  return (
    <main className="setup-check">
      <div className="setup-check-column">
        <header className="setup-check-header">
          <h1 ref={heading} tabIndex={-1}>
            {setupCheckStrings.title}
          </h1>
          <p className="muted">{setupCheckStrings.intro}</p>
        </header>
        {setupCheck.phase === 'failed' && (
          <p className="banner" data-tone="danger" role="alert">
            {setupCheckStrings.failed} {setupCheck.problem}
          </p>
        )}
        {report === null ? (
          setupCheck.phase !== 'failed' && <Skeleton label={setupCheckStrings.running} lines={9} />
        ) : (
          <Report report={report} />
        )}
        <footer className="setup-check-footer">
          <Button
            variant="ghost"
            disabled={setupCheck.phase === 'loading'}
            onClick={() => void settings.runSetupCheck()}
          >
            {setupCheck.phase === 'loading' ? (
              <Spinner />
            ) : (
              <RefreshCw aria-hidden="true" size={14} />
            )}
            {setupCheck.phase === 'loading' ? setupCheckStrings.running : setupCheckStrings.again}
          </Button>
          <Button variant="ghost" onClick={() => settings.showFirstStart()}>
            {firstStartStrings.open}
          </Button>
          {report !== null && (
            <span className="muted">{setupCheckStrings.version(report.version)}</span>
          )}
          <span className="spacer" />
          <StartButton />
        </footer>
      </div>
    </main>
  );
}

/** What was chosen here changes the verdict. */
function useCheckAgain(): void {
  const { settings } = useSession();
  const model = useApp((state) => JSON.stringify(state.settings?.model ?? null));
  const checked = useRef(model);
  useEffect(() => {
    if (checked.current === model) return;
    checked.current = model;
    void settings.runSetupCheck();
  }, [model, settings]);
}

function StartButton(): ReactNode {
  const { settings } = useSession();
  const model = useApp((state) => state.settings?.model ?? null);
  return (
    <Button
      variant={model === null ? 'secondary' : 'primary'}
      onClick={() => void settings.finishSetupCheck()}
    >
      {model === null ? setupCheckStrings.startWithout : setupCheckStrings.start}
      <ArrowRight aria-hidden="true" size={14} />
    </Button>
  );
}

function Report({ report }: { readonly report: SetupReport }): ReactNode {
  const servers = report.servers.filter((server) => server.kind !== 'demo');
  const found = servers.filter((server) => server.reachable);
  const absent = servers.filter((server) => !server.reachable);
  const demo = report.servers.find((server) => server.kind === 'demo');
  return (
    <>
      <p className="banner" data-tone={report.verdict.ready ? 'info' : 'warning'} role="status">
        {report.verdict.text}
      </p>
      <section className="setup-check-section" aria-labelledby="setup-check-models">
        <h2 id="setup-check-models">{setupCheckStrings.models}</h2>
        {found.length === 0 && (
          <CheckLine
            status="missing"
            label={setupCheckStrings.modelsNone}
            detail=""
            remedy={null}
          />
        )}
        {!found.some(({ models }) => models.length > 0) && <GetModel />}
        {found.map((server) => (
          <ServerCard key={server.provider} server={server} />
        ))}
        {absent.length > 0 && <Absent servers={absent} />}
      </section>
      {demo !== undefined && <DemoCard server={demo} />}
      <section className="setup-check-section" aria-labelledby="setup-check-sandboxes">
        <h2 id="setup-check-sandboxes">{setupCheckStrings.sandboxes}</h2>
        {report.sandboxes.map((sandbox) => (
          <SandboxLine key={sandbox.kind} sandbox={sandbox} />
        ))}
      </section>
      {report.items.length > 0 && (
        <section className="setup-check-section" aria-labelledby="setup-check-others">
          <h2 id="setup-check-others">{setupCheckStrings.others}</h2>
          {report.items.map((item) => (
            <CheckLine key={item.id} {...item} />
          ))}
        </section>
      )}
    </>
  );
}

/** The servers that did not answer, on one line. */
function Absent({ servers }: { readonly servers: readonly ModelServer[] }): ReactNode {
  return (
    <p className="muted absent-servers">
      {setupCheckStrings.notFound}: {listOf(servers.map((server) => server.label))}
    </p>
  );
}

/** Only this button chooses the demo, which says what it is. */
function DemoCard({ server }: { readonly server: ModelServer }): ReactNode {
  const { settings, drafts, store } = useSession();
  const script = server.models[0];
  if (script === undefined) return null;
  const model: ModelRef = { provider: server.provider, name: script.name };
  const play = (): void => {
    const { text } = draftOf(store.get(), NEW_TASK);
    // What was typed before is not lost: the demonstration plays for any text.
    drafts.change(NEW_TASK, { model, text: text.trim() === '' ? chatStrings.examples[0] : text });
    void settings.finishSetupCheck();
  };
  return (
    <section className="demo-card" aria-labelledby="setup-check-demo">
      <div>
        <h2 id="setup-check-demo">{setupCheckStrings.demoTitle}</h2>
        <p className="muted">{setupCheckStrings.demoText}</p>
      </div>
      <Button onClick={play}>
        <Play aria-hidden="true" size={14} />
        {setupCheckStrings.tryDemo}
      </Button>
    </section>
  );
}
