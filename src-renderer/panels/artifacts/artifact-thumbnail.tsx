import {
  File,
  FileCode,
  FileText,
  Image,
  type LucideIcon,
  Presentation,
  ScrollText,
  Table,
} from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { Artifact, ArtifactKind } from '#contract/artifacts.ts';
import { useSession } from '../../session-context.ts';
import { artifactStrings as words } from '../../strings/artifacts.ts';

const ICONS: Readonly<Record<ArtifactKind, LucideIcon>> = {
  image: Image,
  document: FileText,
  report: ScrollText,
  slides: Presentation,
  table: Table,
  code: FileCode,
  other: File,
};
/** A small picture of an image, as main decoded it; else the sign of its kind. */
export function Thumbnail({ artifact }: { readonly artifact: Artifact }): ReactNode {
  const { artifacts } = useSession();
  const { kind, isDeleted } = artifact;
  const [preview, setPreview] = useState(() => artifacts.previews.peek(artifact) ?? null);
  useEffect(() => {
    const known = artifacts.previews.peek(artifact);
    if (known !== undefined) setPreview(known);
    else if (kind === 'image' && !isDeleted) {
      return artifacts.previews.request(artifact, setPreview);
    }
    return undefined;
  }, [artifacts, artifact, kind, isDeleted]);
  const Icon = ICONS[kind];
  return (
    <span className="artifact-thumbnail" title={words.kinds[kind]}>
      {preview === null || isDeleted ? (
        <Icon role="img" aria-label={words.kinds[kind]} size={18} strokeWidth={1.5} />
      ) : (
        <img src={preview} alt={words.kinds[kind]} draggable={false} />
      )}
    </span>
  );
}
