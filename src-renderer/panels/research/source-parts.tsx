import { FileText, Globe, Library } from 'lucide-react';
import type { ReactNode } from 'react';
import { SourceLink } from '../../components/markdown/chat-link.tsx';
import { useTask } from '../../components/markdown/task-context.ts';
import { VisibleText } from '../../components/visible-text.tsx';
import { placeOf, type Source } from '../../store/research-view.ts';
import { researchStrings as words } from '../../strings/research.ts';

/** The title of a source: a web link, whose address is shown before it opens, or a file of the task. */
export function SourceTitle({ source }: { readonly source: Source }): ReactNode {
  const task = useTask();
  const place = placeOf(source.url);
  const text = source.title.trim() === '' ? source.url : source.title;
  switch (place.kind) {
    case 'web':
      return (
        <SourceLink address={source.url}>
          <VisibleText text={text} />
        </SourceLink>
      );
    case 'workspace':
      return (
        <button type="button" className="link" onClick={() => task.openFile(place.path)}>
          <VisibleText text={text} />
        </button>
      );
    case 'library':
    case 'other':
      return (
        <span className="source-name">
          <VisibleText text={text} />
        </span>
      );
  }
}

/** Where a source is, and who found it. */
export function SourcePlace({ source }: { readonly source: Source }): ReactNode {
  const place = placeOf(source.url);
  return (
    <p className="source-place muted">
      {place.kind === 'web' ? (
        <Globe aria-hidden="true" size={13} />
      ) : place.kind === 'library' ? (
        <Library aria-hidden="true" size={13} />
      ) : (
        <FileText aria-hidden="true" size={13} />
      )}
      <span>
        {place.kind === 'library' && `${words.library}: `}
        {place.kind === 'workspace' && `${words.workspace}: `}
        <VisibleText text={placeText(place)} />
        {source.foundBy !== undefined && place.kind !== 'library' && (
          <>
            {' · '}
            <VisibleText text={words.foundBy(source.foundBy)} />
          </>
        )}
        {source.isRead === true && ` · ${words.isRead}`}
      </span>
    </p>
  );
}

function placeText(place: ReturnType<typeof placeOf>): string {
  switch (place.kind) {
    case 'web':
      return place.host;
    case 'library':
    case 'workspace':
      return place.path;
    case 'other':
      return place.text;
  }
}
