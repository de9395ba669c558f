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

export interface PptxSlide {
  readonly title?: string;
  /** A shape with a paragraph for each. */
  readonly lines?: readonly string[];
  readonly table?: readonly (readonly string[])[];
  readonly notes?: string;
  readonly isHidden?: boolean;
  /** More of its shapes, as XML. */
  readonly shapes?: string;
}

const PRESENTATION = 'http://schemas.openxmlformats.org/presentationml/2006/main';
const PPTX_ROOT = `xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${OFFICE}" xmlns:p="${PRESENTATION}" xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"`;

function paragraph(text: string): string {
  return `<a:p><a:r><a:t>${xml(text)}</a:t></a:r></a:p>`;
}

/** A shape of a slide; `type` is that of its placeholder, empty for none. */
export function pptxShape(lines: readonly string[], type = ''): string {
  const placeholder = type === '' ? '' : `<p:ph type="${type}"/>`;
  return `<p:sp><p:nvSpPr><p:cNvPr id="2" name="s"/><p:cNvSpPr/><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/>${lines.map(paragraph).join('')}</p:txBody></p:sp>`;
}

/** A presentation with these slides; `more` are further parts. The part `ppt/charts/chart1.xml` among them is the chart `rIdChart` of each. */
export function pptx(slides: readonly PptxSlide[], more: readonly ZipEntry[] = []): Buffer {
  const related = (links: readonly (readonly [id: string, type: string, target: string])[]) =>
    `${XML}<Relationships xmlns="${RELATIONS}">${links
      .map(
        ([id, type, target]) =>
          `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`,
      )
      .join('')}</Relationships>`;
  const page = (name: string, shapes: string, attributes = ''): string =>
    `${XML}<p:${name} ${PPTX_ROOT}${attributes}><p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>${shapes}</p:spTree></p:cSld></p:${name}>`;
  const ids = slides.map((_slide, at) => `<p:sldId id="${256 + at}" r:id="rId${at + 1}"/>`);
  const parts = slides.flatMap((slide, at): ZipEntry[] => {
    const { title, lines, table, notes, isHidden = false, shapes = '' } = slide;
    const rows = (table ?? []).map((row) =>
      row.map((cell) => `<a:tc><a:txBody><a:bodyPr/>${paragraph(cell)}</a:txBody></a:tc>`),
    );
    const own = [
      ...(lines === undefined ? [] : [pptxShape(lines)]),
      ...(table === undefined
        ? []
        : [
            `<p:graphicFrame><a:graphic><a:graphicData><a:tbl>${rows.map((row) => `<a:tr>${row.join('')}</a:tr>`).join('')}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`,
          ]),
      shapes,
      ...(title === undefined ? [] : [pptxShape([title], 'title')]),
      pptxShape([String(at + 1)], 'sldNum'),
    ];
    const links = [
      ['rIdNotes', 'notesSlide', `../notesSlides/notesSlide${at + 1}.xml`],
      ['rIdChart', 'chart', '../charts/chart1.xml'],
    ] as const;
    const noted =
      notes === undefined
        ? []
        : [
            {
              name: `ppt/notesSlides/notesSlide${at + 1}.xml`,
              data: page('notes', pptxShape([notes], 'body') + pptxShape(['7'], 'sldNum')),
            },
          ];
    return [
      {
        name: `ppt/slides/slide${at + 1}.xml`,
        data: page('sld', own.join(''), isHidden ? ' show="0"' : ''),
      },
      { name: `ppt/slides/_rels/slide${at + 1}.xml.rels`, data: related(links) },
      ...noted,
    ];
  });
  return zip([
    {
      name: '[Content_Types].xml',
      data: `${XML}<Types xmlns="${TYPES}"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    },
    { name: '_rels/.rels', data: related([['rId1', 'officeDocument', 'ppt/presentation.xml']]) },
    {
      name: 'ppt/presentation.xml',
      data: `${XML}<p:presentation ${PPTX_ROOT}><p:sldIdLst>${ids.join('')}</p:sldIdLst></p:presentation>`,
    },
    {
      name: 'ppt/_rels/presentation.xml.rels',
      data: related(
        slides.map((_slide, at) => [`rId${at + 1}`, 'slide', `slides/slide${at + 1}.xml`] as const),
      ),
    },
    ...parts,
    ...more,
  ]);
}
