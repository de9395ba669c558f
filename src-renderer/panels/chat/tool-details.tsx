import { GitFork, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import { CodeBlock } from '../../components/markdown/code-block.tsx';
import { useSession } from '../../session-context.ts';
import type { CodeResult, ToolItem } from '../../store/run-view.ts';
import { chatStrings } from '../../strings/chat.ts';
import { toolStrings } from '../../strings/tools.ts';
import { describeAnswer } from './answers.ts';
import { codeOf } from './tool-labels.ts';

/** Arguments, output and outcome of a call. All of it is text, whatever it looks like. */
export function ToolDetails({
  item,
  runId,
}: {
  readonly item: ToolItem;
  readonly runId: string;
}): ReactNode {
  const { runs } = useSession();
  const { endedSeq } = item;
  const code = codeOf(item.arguments);
  const others = Object.entries(item.arguments).filter(
    ([name]) => code === null || (name !== code.name && name !== 'language'),
  );
  return (
    <div className="tool-details">
      {item.answer !== null && <p className="tool-answer">{describeAnswer(item.answer)}</p>}
      {item.findings.length > 0 && (
        <p className="banner" data-tone="warning">
          <TriangleAlert aria-hidden="true" size={14} />
          {toolStrings.findings(item.findings.join(' '))}
        </p>
      )}
      {code !== null && <CodeBlock code={code.code} language={code.language} />}
      {others.length > 0 && (
        <Section title={toolStrings.arguments}>
          <CodeBlock code={JSON.stringify(Object.fromEntries(others), null, 2)} language="json" />
        </Section>
      )}
      {item.code !== null && <CodeOutput result={item.code} />}
      {item.content !== null && (item.code === null || item.status !== 'ok') && (
        <Section title={toolStrings.result}>
          <Output text={item.content} />
          {item.omittedChars > 0 && (
            <p className="muted">{toolStrings.omitted(item.omittedChars)}</p>
          )}
        </Section>
      )}
      {endedSeq !== null && (
        <Button
          size="small"
          variant="ghost"
          className="tool-fork"
          onClick={() => void runs.fork(runId, endedSeq)}
        >
          <GitFork aria-hidden="true" size={14} />
          {chatStrings.forkHere}
        </Button>
      )}
    </div>
  );
}

function CodeOutput({ result }: { readonly result: CodeResult }): ReactNode {
  const { outcome, exitCode, stdout, stderr } = result;
  return (
    <>
      {stdout !== '' && (
        <Section title={toolStrings.output}>
          <Output text={stdout} />
        </Section>
      )}
      {stderr !== '' && (
        <Section title={toolStrings.errors}>
          <Output text={stderr} />
        </Section>
      )}
      {(outcome !== 'completed' || exitCode !== 0) && (
        <p className="tool-outcome">
          {outcome === 'completed' && exitCode !== null
            ? toolStrings.exitCode(exitCode)
            : toolStrings.outcomes[outcome]}
        </p>
      )}
    </>
  );
}

function Section({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <section className="tool-section">
      <h3 className="section-label">{title}</h3>
      {children}
    </section>
  );
}

/** Escape sequences colour the terminal; here they would be noise. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what is looked for
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-_])/g;

function Output({ text }: { readonly text: string }): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre className="output" tabIndex={0}>
      {text.replace(ESCAPES, '')}
    </pre>
  );
}
