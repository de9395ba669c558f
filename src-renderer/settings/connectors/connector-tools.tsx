import { TriangleAlert } from 'lucide-react';
import { type MouseEvent, type ReactNode, useRef } from 'react';
import type { ConnectorTool, ToolDescription } from '#contract/connectors.ts';
import { Button } from '../../components/button.tsx';
import { DiffLines } from '../../components/diff-lines.tsx';
import { Disclosure } from '../../components/disclosure.tsx';
import { ReviewText, VisibleText } from '../../components/visible-text.tsx';
import { useSession } from '../../session-context.ts';
import { connectorStrings } from '../../strings/connectors.ts';

const words = connectorStrings.review;

/** The tools of a server, with what it says about them, to be approved. */
export function ConnectorTools({
  connectorId,
  tools,
}: {
  readonly connectorId: string;
  readonly tools: readonly ConnectorTool[] | null;
}): ReactNode {
  const session = useSession();
  const place = useRef<HTMLElement>(null);
  if (tools === null) return null;
  const approve = async (approved: readonly ConnectorTool[]): Promise<void> => {
    const result = await session.bridge.request('connectors.approve', {
      connectorId,
      tools: approved.map(({ name, sha256 }) => ({ name, sha256 })),
    });
    if (!result.ok) session.showError(result.error.message);
  };
  const waiting = tools.filter(({ state }) => state === 'new' || state === 'changed');
  // What looks like an attack, or is another tool than before, is approved by itself.
  const harmless = waiting.filter(
    ({ state, warnings }) => state === 'new' && warnings.length === 0,
  );
  return (
    <section ref={place} className="connector-tools" aria-label={words.title} tabIndex={-1}>
      <h5>{words.title}</h5>
      {tools.length === 0 && <p className="muted">{words.none}</p>}
      {waiting.length > 0 && <p className="muted">{words.hint}</p>}
      {harmless.length > 0 && (
        <Button
          size="small"
          onClick={() => {
            // The button goes with what it approves.
            place.current?.focus();
            void approve(harmless);
          }}
        >
          {words.approve(harmless.length)}
        </Button>
      )}
      {tools.map((tool) => (
        <Tool
          key={tool.name}
          tool={tool}
          connectorId={connectorId}
          onApprove={() => void approve([tool])}
        />
      ))}
    </section>
  );
}

interface ToolProps {
  readonly tool: ConnectorTool;
  readonly connectorId: string;
  readonly onApprove: () => void;
}

function Tool({ tool, connectorId, onApprove }: ToolProps): ReactNode {
  const { name, state, warnings, isEnabled } = tool;
  return (
    <Disclosure
      id={`connector tool ${connectorId} ${name}`}
      className="connector-tool"
      summary={
        <>
          <code className="ellipsis" data-off={state !== 'approved' || !isEnabled}>
            <VisibleText text={name} />
          </code>
          <span className="connector-tool-state" data-state={state}>
            {words.states[state]}
          </span>
          {warnings.length > 0 && (
            <TriangleAlert
              className="connector-warning"
              role="img"
              aria-label={warnings.join(' ')}
              size={14}
            />
          )}
          <span className="spacer" />
        </>
      }
    >
      {() => <ToolDetails tool={tool} connectorId={connectorId} onApprove={onApprove} />}
    </Disclosure>
  );
}

function ToolDetails({ tool, connectorId, onApprove }: ToolProps): ReactNode {
  const session = useSession();
  const { name, state, problem, warnings, now, approved, isEnabled, isRepeatable } = tool;
  const change = async (changes: {
    isEnabled?: boolean;
    isRepeatable?: boolean;
  }): Promise<void> => {
    const result = await session.bridge.request('connectors.changeTool', {
      ...{ connectorId, name },
      ...changes,
    });
    if (!result.ok) session.showError(result.error.message);
  };
  const waits = state === 'new' || state === 'changed';
  const approve = ({ currentTarget }: MouseEvent): void => {
    // The button goes: the line of its tool has the focus then.
    currentTarget.closest('.connector-tool')?.querySelector('button')?.focus();
    onApprove();
  };
  return (
    <>
      {problem !== null && <p>{problem}</p>}
      {warnings.map((warning) => (
        <p key={warning} className="connector-warning-line">
          <TriangleAlert aria-hidden="true" size={14} />
          {warning}
        </p>
      ))}
      {approved === null ? (
        <Said said={now} />
      ) : (
        <>
          <p>{words.changed}</p>
          <DiffLines before={asText(approved)} after={asText(now)} />
        </>
      )}
      {waits && (
        <Button size="small" variant="primary" onClick={approve}>
          {words.approveOne}
        </Button>
      )}
      {state === 'approved' && (
        <>
          <label className="check-line">
            <input
              type="checkbox"
              checked={isEnabled}
              onChange={(event) => void change({ isEnabled: event.target.checked })}
            />
            {words.offered}
          </label>
          <label className="check-line" title={words.repeatableHint}>
            <input
              type="checkbox"
              checked={isRepeatable}
              onChange={(event) => void change({ isRepeatable: event.target.checked })}
            />
            {words.repeatable}
          </label>
        </>
      )}
    </>
  );
}

function Said({ said }: { readonly said: ToolDescription }): ReactNode {
  const { title, description, inputSchema, more, annotations } = said;
  return (
    <>
      {title !== '' && (
        <>
          <h6>{words.toolTitle}</h6>
          <p className="connector-said">
            <ReviewText text={title} />
          </p>
        </>
      )}
      <h6>{words.description}</h6>
      <p className="connector-said">
        <ReviewText text={description || words.noDescription} />
      </p>
      <h6>{words.schema}</h6>
      <Json text={inputSchema} />
      {more !== '' && (
        <>
          <h6>{words.more}</h6>
          <Json text={more} />
        </>
      )}
      {annotations !== '' && (
        <>
          <h6>{words.annotations}</h6>
          <Json text={annotations} />
        </>
      )}
    </>
  );
}

function Json({ text }: { readonly text: string }): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <pre className="exact-code connector-schema" tabIndex={0}>
      <ReviewText text={text} />
    </pre>
  );
}

/** Under their names: what moved from one to another is a change too. */
function asText(said: ToolDescription): string {
  const { title, description, inputSchema, more, annotations } = said;
  const parts = [
    [words.toolTitle, title],
    [words.description, description],
    [words.schema, inputSchema],
    [words.more, more],
    [words.annotations, annotations],
  ] as const;
  return parts
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name}:\n${text}`)
    .join('\n\n');
}
