export type FileKind = 'image' | 'table' | 'code' | 'text' | 'slides' | 'other';

/** Name of the grammar by the ending of a file's name. */
const LANGUAGES: Readonly<Record<string, string>> = {
  bash: 'bash',
  c: 'c',
  cpp: 'cpp',
  css: 'css',
  go: 'go',
  h: 'c',
  html: 'xml',
  java: 'java',
  js: 'javascript',
  json: 'json',
  jsx: 'javascript',
  mjs: 'javascript',
  php: 'php',
  py: 'python',
  r: 'r',
  rb: 'ruby',
  rs: 'rust',
  sh: 'bash',
  sql: 'sql',
  svg: 'xml',
  toml: 'ini',
  ts: 'typescript',
  tsx: 'typescript',
  xml: 'xml',
  yaml: 'yaml',
  yml: 'yaml',
};
const IMAGES: ReadonlySet<string> = new Set(['png', 'jpg', 'jpeg', 'gif', 'webp', 'bmp', 'avif']);
const TABLES: ReadonlySet<string> = new Set(['csv', 'tsv']);
const TEXTS: ReadonlySet<string> = new Set(['txt', 'md', 'log', 'rst']);

export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}

export function kindOfFile(extension: string): FileKind {
  if (IMAGES.has(extension)) return 'image';
  if (TABLES.has(extension)) return 'table';
  if (TEXTS.has(extension)) return 'text';
  if (extension === 'pptx') return 'slides';
  return languageOf(extension) === '' ? 'other' : 'code';
}

/** Empty where no grammar fits. */
export function languageOf(extension: string): string {
  return Object.hasOwn(LANGUAGES, extension) ? (LANGUAGES[extension] ?? '') : '';
}
