/** What the window and the page that draws diagrams send to each other. */
export interface DiagramQuestion {
  readonly source: string;
  readonly dark: boolean;
}

/** A question with the number that its answer names. */
export interface NumberedQuestion extends DiagramQuestion {
  readonly number: number;
}

/** A drawn diagram: an SVG document for an `<img>`, where nothing in it runs or loads. */
export interface Drawing {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
  /** As Mermaid names it: `flowchart-v2`, `sequence`. */
  readonly kind: string;
  /** What the source calls it; empty if it does not. */
  readonly title: string;
}

/** The first message says that the page is ready; each later one answers a question, null for what cannot be drawn. */
export type DiagramAnswer =
  | { readonly ready: true }
  | { readonly number: number; readonly drawing: Drawing | null };

/** Longer sources are not drawn. */
export const LONGEST_SOURCE = 20_000;
const LONGEST_SVG = 3_000_000;
const LARGEST_SIDE = 20_000;
const LONGEST_TITLE = 300;

/**
 * Reads what the page sent: it ran on a hostile source, so nothing about its message is certain. Null
 * for what answers nothing.
 */
export function readAnswer(message: unknown): DiagramAnswer | null {
  if (!isObject(message)) return null;
  if (message.ready === true) return { ready: true };
  const { number, drawing } = message;
  return typeof number === 'number' ? { number, drawing: readDrawing(drawing) } : null;
}

function readDrawing(drawing: unknown): Drawing | null {
  if (!isObject(drawing)) return null;
  const { svg, width, height, kind, title } = drawing;
  const isDrawn = typeof svg === 'string' && svg.startsWith('<svg') && svg.length <= LONGEST_SVG;
  if (!isDrawn || !isSide(width) || !isSide(height)) return null;
  return {
    ...{ svg, width, height },
    kind: typeof kind === 'string' ? kind.slice(0, 40) : '',
    title: typeof title === 'string' ? title.slice(0, LONGEST_TITLE) : '',
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isSide(value: unknown): value is number {
  return typeof value === 'number' && value >= 1 && value <= LARGEST_SIDE;
}
