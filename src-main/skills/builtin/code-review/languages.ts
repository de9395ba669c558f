const BY_ENDING: Readonly<Record<string, string>> = {
  py: 'python',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  ts: 'typescript',
  tsx: 'typescript',
  mts: 'typescript',
  sh: 'bash',
  rb: 'ruby',
  java: 'java',
  php: 'php',
  go: 'go',
  rs: 'rust',
  c: 'c',
  h: 'c',
  cpp: 'cpp',
  cs: 'csharp',
  sql: 'sql',
  html: 'html',
  css: 'css',
  kt: 'kotlin',
  swift: 'swift',
  lua: 'lua',
  r: 'r',
};

/** The language of a file by its name, else by its content; `text` where neither says. */
export function languageOf(path: string | null, code: string): string {
  const ending = /\.([a-z]+)$/i.exec(path ?? '')?.[1]?.toLowerCase() ?? '';
  const known = BY_ENDING[ending];
  if (known !== undefined) return known;
  if (/^#!.*\b(?:ba|z)?sh\b/.test(code)) return 'bash';
  if (
    /^#!.*\bpython/.test(code) ||
    /^\s*(?:def \w+\(.*\).*:|from \w+ import |import \w+$)/m.test(code)
  ) {
    return 'python';
  }
  if (/^\s*(?:interface \w+|type \w+ =|(?:const|let) \w+: )/m.test(code)) return 'typescript';
  if (/^\s*(?:const|let|var|function|import .* from|export) ?/m.test(code)) return 'javascript';
  return 'text';
}
