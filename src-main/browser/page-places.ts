import type { PageClue, PageProblem } from './types.ts';

/** What Vite shows over a page whose files it cannot read. */
interface Overlay {
  readonly message: string;
  readonly file: string;
}

/** The first error alone, without the frame that compilers draw around it. */
export function overlayMessage({ message }: Overlay): string {
  const lines = message.split('\n');
  const drawn = lines.findIndex((line) => /[╭│╰─┬]/.test(line));
  return (drawn < 0 ? lines : lines.slice(0, drawn)).join('\n').trim();
}

/** Where the file cannot be read; null where it does not say. */
export function overlayPlace({ message, file }: Overlay): PageProblem['place'] {
  const path = file.replace(/:\d+(?::\d+)?$/, '');
  const [, line, column] =
    /[[(: ]\S+?:(\d+):(\d+)[\])\s]/.exec(message) ?? /:(\d+)(?::(\d+))?$/.exec(file) ?? [];
  return path === '' ? null : { url: path, line: Number(line ?? 1), column: Number(column ?? 1) };
}

/** The first place in a stack that is a file of the app, and no package. */
export function placeIn(stack: string): PageProblem['place'] {
  const places = stack.matchAll(/(https?:\/\/[^\s()]+?):(\d+):(\d+)/g);
  for (const [, url = '', line = '', column = ''] of places) {
    if (url.includes('/node_modules/') || url.includes('/@')) continue;
    return { url, line: Number(line), column: Number(column) };
  }
  return null;
}

/** The path of an address with its query, as it is shown. */
export function pathOf(url: string): string {
  const parsed = URL.parse(url);
  return parsed === null ? url.slice(0, 200) : `${parsed.pathname}${parsed.search}`.slice(0, 200);
}

/** A path as it may stand in the sources: whole, without what varies, and its last part. */
export function requestClues(asked: string): PageClue[] {
  const [path = ''] = asked.split('?', 1);
  const fixed = path.replace(/\/\d+.*$/, '');
  const texts = [path, fixed, fixed.slice(1), path.split('/').at(-1) ?? ''];
  return [...new Set(texts)].filter((text) => text.length > 2).map((text) => ({ text, file: '' }));
}
