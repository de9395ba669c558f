import type { ParsedText, TextLimits } from '../parse-document.ts';
import { unreadable } from '../unreadable.ts';
import { checkZip } from '../zip-check.ts';

/** The sheets of a workbook: the name of each sheet, then its rows with tabs between the cells. */
export async function parseXlsx(bytes: Uint8Array, limits: TextLimits): Promise<ParsedText> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  checkZip(buffer, limits.unpackedBytes);
  const { default: readSheets } = await import('read-excel-file/universal');
  // The reader takes whole buffers only.
  const whole = new Uint8Array(bytes).buffer;
  const sheets = await readSheets(whole).catch((error: unknown) => {
    throw unreadable('It is damaged, or not a workbook in the xlsx format.', error);
  });
  const text = sheets
    .map(({ sheet, data }) => [sheet, ...data.map((row) => row.map(cellText).join('\t'))])
    .map((lines) => lines.map((line) => line.trimEnd()).join('\n'))
    .join('\n\n');
  return { title: '', text, leftOut: null };
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (!(value instanceof Date)) return String(value).replaceAll(/\s+/g, ' ');
  // Dates are stored without a time zone, and parsed as UTC.
  return Number.isNaN(value.getTime()) ? '' : value.toISOString().replace('T00:00:00.000Z', '');
}
