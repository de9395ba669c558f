import { zip } from './zip.ts';

/** A day as the number that Excel stores for it. */
type Cell = string | number | null | { readonly date: number };

export interface Sheet {
  readonly name: string;
  readonly rows: readonly (readonly Cell[])[];
  /** References such as A1:B2. */
  readonly merges: readonly string[];
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const LINKS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** An Excel workbook with texts in the shared table, as Excel writes them. */
export function workbook(sheets: readonly Sheet[]): Buffer {
  const texts: string[] = [];
  const parts = sheets.map(({ rows, merges }) => {
    const data = rows.map((row, at) => {
      const cells = row.map((cell, column) => xmlOf(cell, `${'ABCDEFGH'[column]}${at + 1}`, texts));
      return `<row r="${at + 1}">${cells.join('')}</row>`;
    });
    const merged = merges.map((reference) => `<mergeCell ref="${reference}"/>`).join('');
    return `<worksheet xmlns="${MAIN}"><sheetData>${data.join('')}</sheetData>${merged === '' ? '' : `<mergeCells>${merged}</mergeCells>`}</worksheet>`;
  });
  const list = sheets.map(
    ({ name }, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`,
  );
  const links = sheets.map(
    (_, at) =>
      `<Relationship Id="rId${at + 1}" Type="${LINKS}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
  );
  return zip([
    {
      name: 'xl/workbook.xml',
      data: `<workbook xmlns="${MAIN}" xmlns:r="${LINKS}"><sheets>${list.join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      data: `<Relationships xmlns="${PACKAGE}">${links.join('')}</Relationships>`,
    },
    // The second style is the day format 14.
    {
      name: 'xl/styles.xml',
      data: `<styleSheet xmlns="${MAIN}"><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
    },
    {
      name: 'xl/sharedStrings.xml',
      data: `<sst xmlns="${MAIN}">${texts.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    },
    ...parts.map((data, at) => ({ name: `xl/worksheets/sheet${at + 1}.xml`, data })),
  ]);
}

function xmlOf(cell: Cell, place: string, texts: string[]): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`;
  if (typeof cell === 'string') {
    return `<c r="${place}" t="s"><v>${texts.push(cell) - 1}</v></c>`;
  }
  return `<c r="${place}" s="1"><v>${cell.date}</v></c>`;
}
