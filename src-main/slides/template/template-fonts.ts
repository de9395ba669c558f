import { childOf, type XmlElement } from '../../documents/office/read-xml.ts';
import type { FontFace } from '../types.ts';

/** The fonts of a template by their names. */
export interface TemplateFonts {
  readonly headings: string;
  readonly body: string;
}

export function templateFonts(theme: XmlElement): TemplateFonts {
  const scheme = childOf(childOf(theme, 'a:themeElements'), 'a:fontScheme');
  const [headings, body] = ['a:majorFont', 'a:minorFont'].map(
    (name) => childOf(childOf(scheme, name), 'a:latin')?.attributes.get('typeface') ?? '',
  );
  return { headings: headings || 'Calibri', body: body || headings || 'Calibri' };
}

/** A light or display cut is as wide, but programs without it take a wider font in its place. */
const FACES: readonly (readonly [pattern: RegExp, face: FontFace])[] = [
  [/^(?:calibri|carlito)$/i, 'Calibri'],
  [/^(?:cambria|caladea|times|garamond|eb garamond|constantia|perpetua)/i, 'Cambria'],
  [
    /^(?:georgia|palatino|book antiqua|baskerville|merriweather|lora|century school|rockwell)/i,
    'Georgia',
  ],
  [
    /^(?:arial|helvetica|liberation sans|calibri|candara|corbel|gill sans|tw cen|aptos|segoe|roboto|lato|source sans|franklin|tahoma|trebuchet)/i,
    'Arial',
  ],
];

/** What a font is measured and shown as: one of its widths, or a wider one where that is not known. */
export function measuredAs(font: string): FontFace {
  return FACES.find(([pattern]) => pattern.test(font))?.[1] ?? 'Wide';
}
