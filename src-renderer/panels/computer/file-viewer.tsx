import { ArrowLeft, Download, FileQuestionMark, FileX } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import { makeVisible } from '#contract/visible-text.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { HighlightedCode } from '../../components/markdown/code-block.tsx';
import { useWorkspaceFile } from '../../components/markdown/use-workspace-file.ts';
import { Skeleton } from '../../components/skeleton.tsx';
import { Tip } from '../../components/tip.tsx';
import { formatBytes } from '../../format.ts';
import { useSession } from '../../session-context.ts';
import type { FileContent } from '../../store/file-cache.ts';
import { readJson } from '../../store/json-tree.ts';
import { parseTable } from '../../store/parse-table.ts';
import { appStrings } from '../../strings/app.ts';
import { artifactStrings } from '../../strings/artifacts.ts';
import { computerStrings } from '../../strings/computer.ts';
import { extensionOf, kindOfFile, languageOf } from './file-kinds.ts';
import { JsonView } from './json-view.tsx';
import { TableView } from './table-view.tsx';

const LONGEST_TEXT = 1024 * 1024;

interface FileViewerProps {
  readonly threadId: string;
  readonly path: string;
  readonly version: number;
  readonly onBack: () => void;
}

// Few files are presentations; the window does not wait for their viewer.
const SlideViewer = lazy(() =>
  import('../slides/slide-viewer.tsx').then((module) => ({ default: module.SlideViewer })),
);

const ImageFile = lazy(() =>
  import('../images/image-file.tsx').then((module) => ({ default: module.ImageFile })),
);
/** Pictures that image servers take. */
const CHANGEABLE = new Set(['png', 'jpg', 'jpeg', 'webp']);

/** One workspace file: an image, a table, slides, code, or plain text. Nothing in it is executed. */
export function FileViewer(props: FileViewerProps): ReactNode {
  const name = props.path.split('/').at(-1) ?? props.path;
  return kindOfFile(extensionOf(name)) === 'slides' ? (
    <SlidesFile {...props} name={name} />
  ) : (
    <PlainFile {...props} name={name} />
  );
}

type NamedFile = FileViewerProps & { readonly name: string };

function FileHeader({
  path,
  name,
  onBack,
  children,
}: NamedFile & { readonly children: ReactNode }): ReactNode {
  return (
    <header className="file-viewer-header">
      <IconButton label={computerStrings.back} size="small" onClick={onBack}>
        <ArrowLeft aria-hidden="true" size={15} />
      </IconButton>
      <h2 className="file-viewer-name" title={path}>
        {name}
      </h2>
      {children}
    </header>
  );
}

function PlainFile(props: NamedFile): ReactNode {
  const { threadId, path, version, name } = props;
  const file = useWorkspaceFile(threadId, path, version);
  return (
    <div className="file-viewer">
      <FileHeader {...props}>
        {file.phase === 'ready' && <FileActions content={file.content} name={name} />}
      </FileHeader>
      <div className="file-viewer-body">
        {file.phase === 'loading' && <Skeleton label={path} lines={6} />}
        {file.phase === 'failed' && <EmptyState icon={FileX} text={file.problem} />}
        {file.phase === 'ready' && <FileBody {...props} content={file.content} />}
      </div>
    </div>
  );
}

function SlidesFile(props: NamedFile): ReactNode {
  const { threadId, path, version, name } = props;
  const { artifacts } = useSession();
  return (
    <div className="file-viewer">
      <FileHeader {...props}>
        <IconButton
          label={artifactStrings.save(makeVisible(name))}
          size="small"
          onClick={() => void artifacts.save({ threadId, path })}
        >
          <Download aria-hidden="true" size={14} />
        </IconButton>
      </FileHeader>
      <Suspense fallback={<Skeleton label={path} lines={6} />}>
        <SlideViewer key={`${threadId} ${path}`} {...{ threadId, path, version, name }} />
      </Suspense>
    </div>
  );
}

function FileActions({
  content,
  name,
}: {
  readonly content: FileContent;
  readonly name: string;
}): ReactNode {
  const { text, url, size } = content;
  return (
    <>
      <span className="muted">{formatBytes(size)}</span>
      {text !== null && <CopyButton label={appStrings.copy} text={() => text} />}
      <Tip text={computerStrings.download}>
        <a
          className="button icon-button"
          data-variant="ghost"
          data-size="small"
          aria-label={computerStrings.download}
          href={url}
          download={name}
        >
          <Download aria-hidden="true" size={14} />
        </a>
      </Tip>
    </>
  );
}

function FileBody({
  threadId,
  path,
  name,
  version,
  content,
}: NamedFile & { readonly content: FileContent }): ReactNode {
  const extension = extensionOf(name);
  const { text, mimeType, url, truncated } = content;
  if (mimeType.startsWith('image/')) {
    const picture = <img className="file-image" src={url} alt={name} />;
    if (!CHANGEABLE.has(extension)) return picture;
    return (
      <Suspense fallback={picture}>
        <ImageFile key={`${threadId} ${path}`} {...{ threadId, path, name, version, url }} />
      </Suspense>
    );
  }
  if (text === null) return <EmptyState icon={FileQuestionMark} text={computerStrings.binary} />;
  // The beginning of a JSON text is none.
  const asJson = extension === 'json' && !truncated;
  return (
    <>
      {truncated && <p className="muted pad">{computerStrings.truncated}</p>}
      {asJson ? (
        <JsonFile text={text} />
      ) : extension === 'csv' || extension === 'tsv' ? (
        <TableFile text={text} separator={extension === 'tsv' ? '\t' : null} />
      ) : (
        <HighlightedCode code={text} language={languageOf(extension)} />
      )}
    </>
  );
}

function JsonFile({ text }: { readonly text: string }): ReactNode {
  const reading = useMemo(() => readJson(text), [text]);
  if (reading.ok) {
    return (
      <TwoViews label={computerStrings.asTree} text={text} language="json">
        <JsonView key={text} text={text} root={reading.root} />
      </TwoViews>
    );
  }
  return (
    <>
      <p className="muted pad">{computerStrings.jsonFault(reading.line, reading.column)}</p>
      <SourceText text={text} language="json" />
    </>
  );
}

function TableFile({
  text,
  separator,
}: {
  readonly text: string;
  readonly separator: string | null;
}): ReactNode {
  const table = useMemo(() => parseTable(text, separator), [text, separator]);
  const note = table.more ? computerStrings.tableRows(table.rows.length) : null;
  return (
    <TwoViews label={computerStrings.asTable} text={text} note={note}>
      <TableView table={table} />
    </TwoViews>
  );
}

/** A file as what it means, with a switch to its text. */
function TwoViews({
  label,
  text,
  language = '',
  note = null,
  children,
}: {
  readonly label: string;
  readonly text: string;
  readonly language?: string;
  readonly note?: string | null;
  readonly children: ReactNode;
}): ReactNode {
  const [asText, setAsText] = useState(false);
  return (
    <>
      <div className="file-views">
        <Button
          size="small"
          variant="ghost"
          aria-pressed={!asText}
          onClick={() => setAsText(false)}
        >
          {label}
        </Button>
        <Button size="small" variant="ghost" aria-pressed={asText} onClick={() => setAsText(true)}>
          {computerStrings.asText}
        </Button>
        {!asText && note !== null && <span className="muted">{note}</span>}
      </div>
      {asText ? <SourceText text={text} language={language} /> : children}
    </>
  );
}

/** The beginning of a text that is long: to lay out all of it would hold the window. */
function SourceText({
  text,
  language,
}: {
  readonly text: string;
  readonly language: string;
}): ReactNode {
  return (
    <>
      {text.length > LONGEST_TEXT && <p className="muted pad">{computerStrings.truncated}</p>}
      <HighlightedCode code={text.slice(0, LONGEST_TEXT)} language={language} />
    </>
  );
}
