import { FileText } from 'lucide-react';
import { memo, type ReactNode, useMemo } from 'react';
import { SourceLink } from '../../components/markdown/chat-link.tsx';
import { CodeBlock } from '../../components/markdown/code-block.tsx';
import { LazyMarkdown } from '../../components/markdown/lazy-markdown.tsx';
import { useTask } from '../../components/markdown/task-context.ts';
import { WorkspaceImage } from '../../components/markdown/workspace-image.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { formatNumber } from '../../format.ts';
import {
  describeResult,
  type JsonSchema,
  type ResultField,
  type ResultNode,
} from '../../store/skill-result.ts';
import { skillStrings } from '../../strings/skills.ts';
import '../../styles/skill-result.css';

const words = skillStrings.result;

/** The result of a skill, rendered by its output schema. All of it is untrusted content. */
export const SkillResult = memo(function SkillResult({
  output,
  schema,
}: {
  readonly output: Readonly<Record<string, unknown>>;
  readonly schema: JsonSchema;
}): ReactNode {
  const node = useMemo(() => describeResult(output, schema), [output, schema]);
  return (
    <div className="skill-result">
      <ResultView node={node} />
    </div>
  );
});

function ResultView({ node }: { readonly node: ResultNode }): ReactNode {
  switch (node.kind) {
    case 'none':
      return <span className="muted">{words.none}</span>;
    case 'flag':
      return <span>{node.value ? words.yes : words.no}</span>;
    case 'number':
      return <span className="result-number">{formatNumber(node.value)}</span>;
    case 'text':
      return node.text === '' ? (
        <span className="muted">{words.none}</span>
      ) : (
        <VisibleText text={node.text} />
      );
    case 'markdown':
      return (
        <div className="markdown result-markdown">
          <LazyMarkdown source={node.text} />
        </div>
      );
    case 'code':
      return <CodeBlock code={node.code} language={node.language} />;
    case 'link':
      return (
        <SourceLink address={node.address}>
          <VisibleText text={node.address} />
        </SourceLink>
      );
    case 'image':
      return <ResultImage path={node.path} />;
    case 'file':
      return <FileButton path={node.path} />;
    case 'list':
      return <ResultList node={node} />;
    case 'sources':
      return <ResultSources node={node} />;
    case 'table':
      return <ResultTable node={node} />;
    case 'fields':
      return <ResultFields fields={node.fields} />;
    case 'json':
      return <CodeBlock code={node.text} language="json" />;
  }
}

function ResultImage({ path }: { readonly path: string }): ReactNode {
  const task = useTask();
  // Without a task there is no workspace.
  if (task.threadId === null) return <code>{path}</code>;
  return <WorkspaceImage path={path} alt={path} version={task.versionOf(path)} />;
}

function FileButton({ path }: { readonly path: string }): ReactNode {
  const task = useTask();
  if (task.threadId === null) {
    return (
      <code>
        <VisibleText text={path} />
      </code>
    );
  }
  return (
    <button
      type="button"
      className="link result-file"
      aria-label={words.openFile(path)}
      onClick={() => task.openFile(path)}
    >
      <FileText aria-hidden="true" size={13} />
      <VisibleText text={path} />
    </button>
  );
}

type NodeOf<Kind extends ResultNode['kind']> = Extract<ResultNode, { kind: Kind }>;

function More({ count }: { readonly count: number }): ReactNode {
  return count === 0 ? null : <p className="muted">{words.more(count)}</p>;
}

function ResultList({ node: { items, more } }: { readonly node: NodeOf<'list'> }): ReactNode {
  if (items.length === 0) return <span className="muted">{words.none}</span>;
  return (
    <>
      <ul className="result-list">
        {items.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: items have no name but their place
          <li key={index}>
            <ResultView node={item} />
          </li>
        ))}
      </ul>
      <More count={more} />
    </>
  );
}

function ResultSources({ node: { items, more } }: { readonly node: NodeOf<'sources'> }): ReactNode {
  return (
    <>
      <ol className="result-sources">
        {items.map(({ title, address, note }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a source may be named twice
          <li key={index}>
            <SourceLink address={address}>
              <VisibleText text={title} />
            </SourceLink>
            {note !== '' && (
              <p className="muted">
                <VisibleText text={note} />
              </p>
            )}
          </li>
        ))}
      </ol>
      <More count={more} />
    </>
  );
}

function ResultTable({
  node: { columns, rows, more },
}: {
  readonly node: NodeOf<'table'>;
}): ReactNode {
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div className="table-scroll result-table" tabIndex={0}>
        <table>
          <thead>
            <tr>
              {columns.map((name, column) => (
                <th key={name} scope="col" data-number={rows[0]?.[column]?.kind === 'number'}>
                  <VisibleText text={inWords(name)} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name but their place
              <tr key={row}>
                {cells.map((cell, column) => (
                  <td key={columns[column]} data-number={cell.kind === 'number'}>
                    <ResultView node={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <More count={more} />
    </>
  );
}

/** Kinds that need the full width, below their name. */
const WIDE: ReadonlySet<ResultNode['kind']> = new Set([
  ...(['markdown', 'code', 'image', 'list', 'sources', 'table', 'fields', 'json'] as const),
]);

function ResultFields({ fields }: { readonly fields: readonly ResultField[] }): ReactNode {
  if (fields.length === 0) return <span className="muted">{words.none}</span>;
  return (
    <dl className="result-fields">
      {fields.map(({ name, description, node }) => (
        <div key={name} className="result-field" data-wide={WIDE.has(node.kind)}>
          <dt title={description === '' ? undefined : description}>
            <VisibleText text={inWords(name)} />
          </dt>
          <dd>
            <ResultView node={node} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** `row_count` as "row count". */
function inWords(name: string): string {
  return name.replaceAll('_', ' ');
}
