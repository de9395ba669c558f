import { GitFork, TriangleAlert } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { Button } from '../../components/button.tsx';
import { CodeBlock } from '../../components/markdown/code-block.tsx';
import { useApp, useSession } from '../../session-context.ts';
import type { CodeResult, ToolItem } from '../../store/run-view.ts';
import { outputOf } from '../../store/tool-output.ts';
import { chatStrings } from '../../strings/chat.ts';
import { toolStrings } from '../../strings/tools.ts';
import { describeAnswer } from './answers.ts';
import { LongOutput } from './long-output.tsx';
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
      {item.code !== null && (
        <CodeOutput result={item.code} toolCallId={item.toolCallId} runId={runId} />
      )}
      {item.content !== null && (item.code === null || item.status !== 'ok') && (
        <Section title={toolStrings.result}>
          <LongOutput text={item.content} name={`${item.toolCallId}-result.txt`} />
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

function CodeOutput({
  result,
  toolCallId,
  runId,
}: {
  readonly result: CodeResult;
  readonly toolCallId: string;
  readonly runId: string;
}): ReactNode {
  const { outcome, exitCode } = result;
  const terminal = useApp((state) => state.views.get(runId)?.terminal ?? null);
  const { stdout, stderr } = useMemo(
    () => outputOf(terminal ?? { entries: [] }, toolCallId, result),
    [terminal, toolCallId, result],
  );
  return (
    <>
      {stdout.text !== '' && (
        <Section title={toolStrings.output}>
          <LongOutput {...stdout} name={`${toolCallId}-output.txt`} />
        </Section>
      )}
      {stderr.text !== '' && (
        <Section title={toolStrings.errors}>
          <LongOutput {...stderr} name={`${toolCallId}-errors.txt`} />
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
