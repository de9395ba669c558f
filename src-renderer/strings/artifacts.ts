import type { ArtifactKind } from '#contract/artifacts.ts';
import { formatCount } from '../format.ts';
import { inLanguage } from '../language.ts';

/** What the agent made: the page of all tasks, and the tab of one. */
export const artifactStrings = inLanguage('artifactStrings', {
  title: 'Artifacts',
  search: 'Search by name',
  kind: 'Kind',
  anyKind: 'All kinds',
  kinds: {
    image: 'Images and charts',
    document: 'Documents',
    report: 'Reports',
    slides: 'Slides',
    table: 'Tables',
    code: 'Code',
    other: 'Other files',
  } satisfies Record<ArtifactKind, string>,
  count: (count: number, hasMore: boolean) =>
    hasMore
      ? `More than ${formatCount(count)} files`
      : `${formatCount(count)} ${count === 1 ? 'file' : 'files'}`,
  loading: 'Loading artifacts',
  failed: 'Could not load the artifacts.',
  none: 'Images, charts, documents, tables, code, reports and slides that the agent makes will appear here.',
  nothingFits: 'No files match.',
  clearFilter: 'Clear filters',
  deleted: 'Deleted',
  fromTask: (title: string) => `Go to the task ${title}`,
  save: (name: string) => `Save ${name}`,
  copy: (name: string) => `Copy the text of ${name}`,
  notText: 'This file is not text. Save it instead.',
  cut: 'This file is too long to copy. Save it instead.',
});
