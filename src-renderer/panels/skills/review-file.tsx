import { FileMinus, FilePen, FilePlus, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { SkillReview } from '#contract/skills.ts';
import { DiffLines } from '../../components/diff-lines.tsx';
import { countHidden, VisibleText } from '../../components/visible-text.tsx';
import { reviewStrings as words } from '../../strings/skill-editor.ts';

type ReviewedFile = SkillReview['files'][number];
const ICONS = { new: FilePlus, removed: FileMinus, changed: FilePen } as const;

/** The full diff of a file against the last approved version. */
export function ReviewFile({ file }: { readonly file: ReviewedFile }): ReactNode {
  const { path, before, after, isBinary } = file;
  const kind = kindOf(file);
  const Icon = ICONS[kind];
  const hidden = countHidden(after ?? '');
  return (
    <article className="review-file">
      <h3>
        <Icon aria-hidden="true" size={14} />
        <code>
          <VisibleText text={path} />
        </code>
        <span className="tag">{words.kinds[kind]}</span>
      </h3>
      {hidden > 0 && (
        <p className="banner" data-tone="warning">
          <TriangleAlert aria-hidden="true" size={14} />
          {words.hidden(hidden)}
        </p>
      )}
      {isBinary ? (
        <p className="muted">{words.binary}</p>
      ) : (
        <DiffLines before={before ?? ''} after={after ?? ''} />
      )}
    </article>
  );
}

/** A binary file has no text, so only the fact that it differs is shown. */
function kindOf({ before, after, isBinary }: ReviewedFile): keyof typeof ICONS {
  if (isBinary && before === null && after === null) return 'changed';
  if (before === null) return 'new';
  return after === null ? 'removed' : 'changed';
}
