import { type ZipEntry, zip } from './zip.ts';

/** Documents as programs write them, as small as they may be. */

function xml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const TYPES = 'http://schemas.openxmlformats.org/package/2006/content-types';
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A Word document of these paragraphs; `more` are further parts, or others in place of its own. */
export function docx(paragraphs: readonly string[], more: readonly ZipEntry[] = []): Buffer {
  const body = paragraphs
    .map((text) => `<w:p><w:r><w:t xml:space="preserve">${xml(text)}</w:t></w:r></w:p>`)
    .join('');
  const own: ZipEntry[] = [
    {
      name: '[Content_Types].xml',
      data: `${XML}<Types xmlns="${TYPES}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    },
    {
      name: '_rels/.rels',
      data: `${XML}<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>`,
    },
    {
      name: 'word/document.xml',
      data: `${XML}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
    },
  ];
  const replaced = new Set(more.map(({ name }) => name));
  return zip([...own.filter(({ name }) => !replaced.has(name)), ...more]);
}

/** A workbook with these sheets. */
export function xlsx(
  sheets: Readonly<Record<string, readonly (readonly (string | number)[])[]>>,
): Buffer {
  const names = Object.keys(sheets);
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const part = (index: number): string => `xl/worksheets/sheet${index + 1}.xml`;
  return zip([
    {
      name: '[Content_Types].xml',
      data: `${XML}<Types xmlns="${TYPES}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/></Types>`,
    },
    {
      name: '_rels/.rels',
      data: `${XML}<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    },
    {
      name: 'xl/workbook.xml',
      data: `${XML}<workbook xmlns="${main}" xmlns:r="${OFFICE}"><sheets>${names
        .map(
          (name, index) =>
            `<sheet name="${xml(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
        )
        .join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      data: `${XML}<Relationships xmlns="${RELATIONS}">${names
        .map(
          (_name, index) =>
            `<Relationship Id="rId${index + 1}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
        )
        .join('')}</Relationships>`,
    },
    ...Object.values(sheets).map((rows, index) => ({
      name: part(index),
      data: `${XML}<worksheet xmlns="${main}"><sheetData>${rows.map(sheetRow).join('')}</sheetData></worksheet>`,
    })),
  ]);
}

function sheetRow(cells: readonly (string | number)[], index: number): string {
  const row = index + 1;
  const all = cells.map((value, column) => {
    const at = `${String.fromCharCode(65 + column)}${row}`;
    return typeof value === 'number'
      ? `<c r="${at}"><v>${value}</v></c>`
      : `<c r="${at}" t="inlineStr"><is><t>${xml(value)}</t></is></c>`;
  });
  return `<row r="${row}">${all.join('')}</row>`;
}

/** A PDF with a page for each text; an empty text is a page without any, as a scanner makes it. */
export function pdf(pages: readonly string[], title?: string): Buffer {
  const objects: string[] = [];
  const add = (body: string): number => objects.push(body);
  const pageIds = pages.map((_text, index) => 4 + index * 2);
  add('<</Type/Catalog/Pages 2 0 R>>');
  add(`<</Type/Pages/Count ${pages.length}/Kids[${pageIds.map((id) => `${id} 0 R`).join(' ')}]>>`);
  add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>');
  for (const text of pages) {
    const lines = text === '' ? [] : text.split('\n');
    const shown = lines.map((line) => `(${line.replaceAll(/[\\()]/g, '\\$&')}) Tj 0 -14 Td`);
    const content = shown.length === 0 ? '' : `BT /F1 11 Tf 40 780 Td ${shown.join(' ')} ET`;
    add(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents ${objects.length + 2} 0 R/Resources<</Font<</F1 3 0 R>>>>>>`,
    );
    add(`<</Length ${content.length}>>\nstream\n${content}\nendstream`);
  }
  const info = title === undefined ? null : add(`<</Title(${title})>>`);
  let file = '%PDF-1.4\n';
  const offsets = objects.map((body, index) => {
    const at = file.length;
    file += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return at;
  });
  const start = file.length;
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const trailer = `<</Size ${objects.length + 1}/Root 1 0 R${info === null ? '' : `/Info ${info} 0 R`}>>`;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n${trailer}\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}
