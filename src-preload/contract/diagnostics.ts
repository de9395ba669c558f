import { z } from 'zod';

/** The parts of a diagnostics document, in its order. */
export const DiagnosticsSection = z.enum([
  ...['computer', 'setup', 'settings', 'policy', 'data', 'crashes', 'log'],
] as const);
export type DiagnosticsSection = z.infer<typeof DiagnosticsSection>;

/**
 * What a diagnostics document is made of. The texts hold no control characters and no lone surrogates, so that what is
 * shown is what is written, byte for byte in UTF-8.
 */
export const Diagnostics = z.strictObject({
  /** A name for the file. */
  fileName: z.string(),
  /** Title, version and time. */
  head: z.string(),
  /** Every section once, in the order of the document. The text of one that was not asked for is empty. */
  parts: z.array(z.strictObject({ section: DiagnosticsSection, text: z.string() })),
  /** What no document contains. */
  notes: z.string(),
});
export type Diagnostics = z.infer<typeof Diagnostics>;

/** Requests about diagnostics; a part of `REQUESTS`. Only the user makes them, never a tool. */
export const DIAGNOSTICS_REQUESTS = {
  /** Runs the setup check, too. Writes and sends nothing: the caller shows the text to the user, who saves it. */
  'diagnostics.get': {
    effect: 'read',
    /** `without`: sections that are not even collected. */
    input: z.strictObject({ without: z.array(DiagnosticsSection).max(20).optional() }),
    output: Diagnostics,
  },
} as const;

/** The document without the sections that the user leaves out. It says which ones those are. */
export function diagnosticsText(
  { head, parts, notes }: Diagnostics,
  leftOut: ReadonlySet<DiagnosticsSection>,
): string {
  const isShown = ({ section, text }: Diagnostics['parts'][number]): boolean =>
    text !== '' && !leftOut.has(section);
  const shown = parts.filter(isShown);
  const without = parts.filter((part) => !isShown(part)).map(({ section }) => section);
  const byUser = without.length === 0 ? '' : `    Left out by the user: ${without.join(', ')}\n`;
  return [head, ...shown.map(({ text }) => text), notes + byUser].join('\n');
}
