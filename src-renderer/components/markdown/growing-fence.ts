/**
 * The code of a block that is nothing but a fence which is not closed yet. Long code streams often,
 * and need not go through the parser at every step. Null for anything else.
 */
export function readGrowingFence(source: string): { code: string; language: string } | null {
  const opening = /^(`{3,}|~{3,})[ \t]*([^\s`]*)[^\n`]*\n/.exec(source);
  if (opening === null) return null;
  const [line, marks = '', language = ''] = opening;
  const code = source.slice(line.length);
  const closing = code.lastIndexOf(`\n${marks}`);
  if (closing !== -1 || code.startsWith(marks)) return null;
  return { code: code.replace(/\n$/, ''), language };
}
