import { Check } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from '../../components/button.tsx';
import { useApp, useSession } from '../../session-context.ts';
import { firstStartStrings as words } from '../../strings/first-start.ts';
import { LevelStep } from './level-step.tsx';
import { ModelStep } from './model-step.tsx';
import { TryStep } from './try-step.tsx';

/** The steps from a new installation to a first result. None is needed to go on. */
export function FirstStartPage(): ReactNode {
  const { settings } = useSession();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const hasModel = useApp((state) => (state.settings?.model ?? null) !== null);
  const hasLevel = useApp((state) => (state.settings?.policyLevel ?? null) !== null);
  return (
    <main className="setup-check">
      <div className="setup-check-column">
        <header className="setup-check-header">
          <h1 ref={heading} tabIndex={-1}>
            {words.title}
          </h1>
          <p className="muted">{words.intro}</p>
        </header>
        <Step number={1} title={words.model} isDone={hasModel}>
          <ModelStep />
        </Step>
        <Step number={2} title={words.level} isDone={hasLevel}>
          <LevelStep />
        </Step>
        <Step number={3} title={words.try} isDone={false}>
          <TryStep />
        </Step>
        <footer className="setup-check-footer">
          <Button variant="ghost" onClick={() => settings.showSetupCheck()}>
            {words.details}
          </Button>
          <span className="spacer" />
          <Button onClick={() => void settings.finishSetupCheck()}>
            {hasModel ? words.start : words.skip}
          </Button>
        </footer>
      </div>
    </main>
  );
}

function Step({
  number,
  title,
  isDone,
  children,
}: {
  readonly number: number;
  readonly title: string;
  readonly isDone: boolean;
  readonly children: ReactNode;
}): ReactNode {
  const id = useId();
  return (
    <section className="setup-check-section first-step" aria-labelledby={id}>
      <h2 id={id} aria-label={words.step(number, title)}>
        <span className="step-number" aria-hidden="true" data-done={isDone}>
          {isDone ? <Check size={13} /> : number}
        </span>
        {title}
        {isDone && <span className="visually-hidden"> {words.done}</span>}
      </h2>
      {children}
    </section>
  );
}
