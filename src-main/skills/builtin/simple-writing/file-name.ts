const MOST_CHARS = 60;

/** A title as a file name without extension that none of `taken` has, ignoring case. */
export function freeFileName(title: string, taken: readonly string[]): string {
  const words = title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-');
  const short = [...words]
    .slice(0, MOST_CHARS)
    .join('')
    .replace(/^-+|-+$/g, '');
  const base = short === '' ? 'text' : short;
  const names = new Set(taken.map((name) => name.toLowerCase().replace(/\.[^.]*$/, '')));
  let name = base;
  for (let number = 2; names.has(name); number += 1) name = `${base}-${number}`;
  return name;
}
