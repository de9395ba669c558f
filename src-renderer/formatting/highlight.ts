import { common, createLowlight } from 'lowlight';

/** A piece of code with the class that gives it its colour; null for plain text. */
export interface HighlightedSpan {
  readonly text: string;
  readonly className: string | null;
}

const lowlight = createLowlight(common);

/** Cuts code into coloured spans; null where the language is not known. */
export function highlight(code: string, language: string): readonly HighlightedSpan[] | null {
  if (!lowlight.registered(language)) return null;
  const spans: HighlightedSpan[] = [];
  collect(lowlight.highlight(language, code), null, spans);
  return spans;
}

interface SyntaxNode {
  readonly type: string;
  readonly value?: string;
  readonly properties?: { readonly className?: unknown };
  readonly children?: readonly SyntaxNode[];
}

/** The innermost class decides: the outer ones only group. */
function collect(node: SyntaxNode, className: string | null, spans: HighlightedSpan[]): void {
  if (node.type === 'text') spans.push({ text: node.value ?? '', className });
  const names = node.properties?.className;
  const own = Array.isArray(names) ? names.join(' ') : className;
  for (const child of node.children ?? []) collect(child, own, spans);
}
