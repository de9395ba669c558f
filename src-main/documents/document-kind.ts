import path from 'node:path';
import type { DocumentKind } from './types.ts';

const BY_EXTENSION: Readonly<Record<DocumentKind, string>> = {
  text: 'txt text log rst adoc asciidoc org tex bib srt vtt eml',
  markdown: 'md markdown mdown mkd mdx',
  code: 'c h cc cpp cxx hpp hh cs java kt kts scala go rs swift m mm py pyi rb php pl pm lua r jl hs ml ex exs erl clj dart zig nim js jsx mjs cjs ts tsx mts cts vue svelte css scss less sql sh bash zsh fish ps1 bat cmd json jsonl ndjson yaml yml toml ini cfg conf properties xml xsd svg proto graphql tf gradle cmake make dockerfile ipynb',
  html: 'html htm xhtml',
  csv: 'csv tsv tab',
  pdf: 'pdf',
  docx: 'docx docm dotx',
  pptx: 'pptx pptm potx ppsx',
  xlsx: 'xlsx xlsm xltx',
};

const KINDS = new Map(
  Object.entries(BY_EXTENSION).flatMap(([kind, extensions]) =>
    extensions.split(' ').map((extension) => [extension, kind as DocumentKind] as const),
  ),
);

/** Well-known names of text and code files without an extension. */
const BY_NAME: ReadonlyMap<string, DocumentKind> = new Map([
  ...['readme', 'license', 'licence', 'changelog', 'notes', 'todo', 'authors', 'copying'].map(
    (name) => [name, 'text'] as const,
  ),
  ...['makefile', 'dockerfile', 'jenkinsfile', 'gemfile', 'rakefile'].map(
    (name) => [name, 'code'] as const,
  ),
]);

const BY_TYPE: ReadonlyArray<readonly [RegExp, DocumentKind]> = [
  [/^application\/pdf\b/i, 'pdf'],
  [/^application\/vnd\.openxmlformats-officedocument\.wordprocessingml\b/i, 'docx'],
  [/^application\/vnd\.openxmlformats-officedocument\.presentationml\b/i, 'pptx'],
  [/^application\/vnd\.openxmlformats-officedocument\.spreadsheetml\b/i, 'xlsx'],
  [/^(?:text\/html|application\/xhtml\+xml)\b/i, 'html'],
  [/^text\/(?:csv|tab-separated-values)\b/i, 'csv'],
  [/^text\/(?:x-)?markdown\b/i, 'markdown'],
  [/^(?:text|application)\/(?:[\w.+-]*\+)?(?:json|xml|javascript|x-python|yaml)\b/i, 'code'],
  [/^text\//i, 'text'],
];

/** The kind of a file: by its media type if that is known, else by its name; null if unsupported. */
export function documentKind(name: string, contentType = ''): DocumentKind | null {
  const byType = BY_TYPE.find(([pattern]) => pattern.test(contentType.trim()))?.[1];
  if (byType !== undefined && byType !== 'text') return byType;
  const base = path.basename(name).toLowerCase();
  const extension = path.extname(base).slice(1);
  const byName = extension === '' ? BY_NAME.get(base) : KINDS.get(extension);
  return byName ?? byType ?? null;
}

const PACKED = ['pdf', 'docx', 'pptx', 'xlsx'] as const satisfies readonly DocumentKind[];
/** A kind whose text must be unpacked: the bytes of the file are none. */
export type PackedKind = (typeof PACKED)[number];

export function isPacked(kind: DocumentKind | null): kind is PackedKind {
  return PACKED.some((one) => one === kind);
}
