import { Download, MessageSquare } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import type { Artifact } from '#contract/artifacts.ts';
import { makeVisible } from '#contract/visible-text.ts';
import { IconButton } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { formatBytes, formatMoment } from '../../format.ts';
import { useSession } from '../../session-context.ts';
import { appStrings } from '../../strings/app.ts';
import { artifactStrings as words } from '../../strings/artifacts.ts';
import { Thumbnail } from './artifact-thumbnail.tsx';

/** Endings of files whose text can be copied. */
const TEXTS = /\.(?:csv|html?|log|md|rst|svg|tex|tsv|txt)$/i;

interface ArtifactRowProps {
  readonly artifact: Artifact;
  /** The title of its task; null where all rows are of one task. */
  readonly title: string | null;
  readonly now: number;
  readonly onOpen: (artifact: Artifact) => void;
}

/** A file that the agent made: its name opens it, its task is a link. One that was deleted is marked. */
export const ArtifactRow = memo(function ArtifactRow(props: ArtifactRowProps): ReactNode {
  const { artifact, title, now, onOpen } = props;
  const { artifacts } = useSession();
  const { path, size, at, kind, isDeleted } = artifact;
  const slash = path.lastIndexOf('/');
  const folder = onOneLine(path.slice(0, slash + 1));
  const name = onOneLine(path.slice(slash + 1));
  const shownName = makeVisible(name);
  const isText = kind === 'code' || TEXTS.test(name);
  return (
    <div className="artifact" data-deleted={isDeleted}>
      <Thumbnail artifact={artifact} />
      <div className="artifact-main">
        <p className="artifact-name" title={makeVisible(path)}>
          {isDeleted ? (
            <VisibleText text={name} />
          ) : (
            <button
              type="button"
              className="artifact-open"
              data-control="open"
              onClick={() => onOpen(artifact)}
            >
              <VisibleText text={name} />
            </button>
          )}
        </p>
        <p className="artifact-facts">
          {isDeleted && <span className="artifact-deleted">{words.deleted}</span>}
          {title !== null && (
            <button
              type="button"
              className="link artifact-task"
              data-control="task"
              aria-label={words.fromTask(title)}
              onClick={() => artifacts.openTask(artifact)}
            >
              <MessageSquare aria-hidden="true" size={12} />
              <span>{title === '' ? appStrings.untitled : title}</span>
            </button>
          )}
          {folder !== '' && (
            <span className="artifact-folder">
              <VisibleText text={folder} />
            </span>
          )}
          <span>{formatBytes(size)}</span>
          <time dateTime={new Date(at).toISOString()}>{formatMoment(at, now)}</time>
        </p>
      </div>
      {!isDeleted && (
        <div className="artifact-actions">
          {isText && (
            <CopyButton label={words.copy(shownName)} text={() => artifacts.readText(artifact)} />
          )}
          <IconButton
            label={words.save(shownName)}
            size="small"
            data-control="save"
            onClick={() => void artifacts.save(artifact)}
          >
            <Download aria-hidden="true" size={14} />
          </IconButton>
        </div>
      )}
    </div>
  );
});

/** A line break or a tab in a name is shown as its symbol. */
function onOneLine(text: string): string {
  return text.replaceAll('\n', ' ↵ ').replaceAll('\t', ' ⇥ ');
}
