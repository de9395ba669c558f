import { ArrowLeft, Download, FileQuestionMark, FileX, Pencil } from 'lucide-react';
import {
  lazy,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { makeVisible } from '#contract/visible-text.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { HighlightedCode } from '../../components/markdown/code-block.tsx';
import { useWorkspaceFile } from '../../components/markdown/use-workspace-file.ts';
import { Skeleton } from '../../components/skeleton.tsx';
import { Tip } from '../../components/tip.tsx';
import { formatBytes } from '../../format.ts';
import { useSession } from '../../session-context.ts';
import type { FileContent } from '../../store/file-cache.ts';
import { draftOfFile, type FileNow } from '../../store/file-draft.ts';
import { readJson } from '../../store/json-tree.ts';
import { parseTable } from '../../store/parse-table.ts';
import { appStrings } from '../../strings/app.ts';
import { artifactStrings } from '../../strings/artifacts.ts';
import { computerStrings } from '../../strings/computer.ts';
import { fileEditorStrings } from '../../strings/file-editor.ts';
import { FileEditor, useFileDraft } from './file-editor.tsx';
import { extensionOf, kindOfFile, languageOf } from './file-kinds.ts';
import { FileMenu } from './file-menu.tsx';
import { FileNameForm } from './file-name-form.tsx';
import { JsonView } from './json-view.tsx';
import { TableView } from './table-view.tsx';

const LONGEST_TEXT = 1024 * 1024;

interface FileViewerProps {
  readonly threadId: string;
  readonly path: string;
  /** Another one whenever the file changed. */
  readonly version: string;
  readonly onBack: () => void;
  /** The file has another name now. */
  readonly onMoved: (path: string) => void;
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
  threadId,
  path,
  name,
  onBack,
  onMoved,
  isEdited = false,
  children,
}: NamedFile & { readonly isEdited?: boolean; readonly children?: ReactNode }): ReactNode {
  const { bridge, showError } = useSession();
  const [asked, setAsked] = useState<'name' | 'delete' | null>(null);
  const rename = async (to: string): Promise<string | null> => {
    const result = await bridge.request('files.move', { threadId, path, to });
    if (!result.ok) return result.error.message;
    setAsked(null);
    onMoved(to);
    return null;
  };
  const remove = async (): Promise<void> => {
    const result = await bridge.request('files.remove', { threadId, path });
    setAsked(null);
    if (result.ok) onBack();
    else showError(result.error.message);
  };
  return (
    <>
      <header className="file-viewer-header">
        <IconButton label={computerStrings.back} size="small" onClick={onBack}>
          <ArrowLeft aria-hidden="true" size={15} />
        </IconButton>
        <h2 className="file-viewer-name" title={path}>
          {name}
        </h2>
        {children}
        {!isEdited && (
          <FileMenu onRename={() => setAsked('name')} onDelete={() => setAsked('delete')} />
        )}
      </header>
      {asked === 'name' && (
        <FileNameForm
          label={fileEditorStrings.renameTo}
          submitLabel={fileEditorStrings.renameAction}
          initial={path}
          onName={rename}
          onCancel={() => setAsked(null)}
        />
      )}
      {asked === 'delete' && (
        <ConfirmDialog
          title={fileEditorStrings.deleteTitle(makeVisible(name))}
          text={fileEditorStrings.deleteText}
          confirmLabel={fileEditorStrings.deleteAction}
          variant="danger"
          onConfirm={remove}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

function PlainFile(props: NamedFile): ReactNode {
  const { threadId, path, version, name } = props;
  const file = useWorkspaceFile(threadId, path, version);
  const [draft, setDraft] = useFileDraft(threadId, path);
  const [isFresh, setFresh] = useState(false);
  const editButton = useFocusAfter(draft !== undefined);
  const now = file.phase === 'ready' ? nowOf(file.content) : null;
  if (draft !== undefined && file.phase !== 'loading') {
    const isNew = draft.known[0] === null && draft.text === '';
    const isKnown = file.phase === 'ready' || file.isGone;
    return (
      <div className="file-viewer">
        <FileHeader {...props} isEdited />
        <FileEditor
          key={`${threadId} ${path}`}
          {...{ threadId, path, name, draft }}
          now={isKnown ? now : undefined}
          isFresh={isFresh || isNew}
          extension={extensionOf(name)}
        />
      </div>
    );
  }
  const edit = (): void => {
    setFresh(true);
    setDraft(draftOfFile(now));
  };
  return (
    <div className="file-viewer">
      <FileHeader {...props}>
        {file.phase === 'ready' && (
          <FileActions
            content={file.content}
            name={name}
            editButton={editButton}
            onEdit={now?.sha256 == null ? null : edit}
          />
        )}
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

/** A file as an editor compares it. */
function nowOf({ text, sha256 }: FileContent): FileNow {
  return text === null ? { text: '', sha256: null } : { text, sha256 };
}

/** The ref of a button that takes the focus when `isOther` ends, whatever had it then. */
function useFocusAfter(isOther: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const was = useRef(isOther);
  useEffect(() => {
    if (was.current && !isOther) button.current?.focus();
    was.current = isOther;
  }, [isOther]);
  return button;
}

function FileActions({
  content,
  name,
  editButton,
  onEdit,
}: {
  readonly editButton: RefObject<HTMLButtonElement | null>;
  readonly content: FileContent;
  readonly name: string;
  /** Null where it cannot be edited. */
  readonly onEdit: (() => void) | null;
}): ReactNode {
  const { text, url, size } = content;
  return (
    <>
      <span className="muted">{formatBytes(size)}</span>
      {onEdit !== null && (
        <IconButton ref={editButton} label={fileEditorStrings.edit} size="small" onClick={onEdit}>
          <Pencil aria-hidden="true" size={14} />
        </IconButton>
      )}
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
