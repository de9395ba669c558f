import { type Part, unzipParts, zipParts } from '../../documents/office/zip-parts.ts';
import { isRightToLeft } from '../break-lines.ts';
import type { TemplateParts } from '../template/template-parts.ts';
import type { ChartElement, DeckPictures, LaidOutDeck } from '../types.ts';
import { chartRows, chartXml } from './pptx-chart.ts';
import {
  appProperties,
  contentTypes,
  coreProperties,
  notesMaster,
  notesSlide,
  relationships,
} from './pptx-parts.ts';
import type { Writing } from './pptx-text.ts';
import { workbookOf } from './pptx-workbook.ts';
import { insertTemplate } from './template-package.ts';
import { cleanParagraph, cleanText, LINE_BREAK } from './xml-text.ts';

/** How the writer names what only decorates, so that it is marked as such. */
export const DECORATION = 'Decoration';

/** Parts that are written here instead of by pptxgenjs. */
const REPLACED = /^(?:\[Content_Types\]\.xml$|docProps\/|ppt\/(?:charts|embeddings|notes\w+)\/)/;
const PRESENTATION = 'ppt/presentation.xml';
const PRESENTATION_LINKS = 'ppt/_rels/presentation.xml.rels';

type Parts = Map<string, string | Uint8Array>;

interface Deck {
  readonly deck: LaidOutDeck;
  readonly writing: Writing;
}

interface Repacked extends Deck {
  readonly template: TemplateParts | null;
  readonly pictures: DeckPictures;
}

/**
 * The presentation of pptxgenjs without what PowerPoint would repair, and without what differs from one writing to the
 * next. What is wrong in it, by the part: see each function below.
 */
export async function repackPptx(
  bytes: Uint8Array,
  { deck, writing, template, pictures }: Repacked,
): Promise<Buffer> {
  const parts: Parts = new Map();
  const decoder = new TextDecoder();
  for (const [name, content] of await unzipParts(bytes)) {
    if (REPLACED.test(name)) continue;
    parts.set(name, /\.(?:xml|rels)$/.test(name) ? decoder.decode(content) : content);
  }
  for (const [name, content] of parts) {
    if (typeof content !== 'string' || !/^ppt\/slide(?:s|Layouts)\/[^/]+$/.test(name)) continue;
    parts.set(name, fixSlide(content, writing));
  }
  if (template !== null) insertTemplate(parts, { pages: deck.pages, template, pictures });
  await addCharts(parts, { deck, writing });
  addNotes(parts, { deck, writing });
  const notes = deck.pages.filter((page) => notesOf(page.notes) !== '').length;
  parts.set('docProps/core.xml', coreProperties(deck.title));
  parts.set('docProps/app.xml', appProperties({ slides: deck.pages.length, notes }));
  const names = [...parts.keys()].sort();
  const list: Part[] = names.map((name) => [name, parts.get(name) ?? '']);
  return await zipParts([['[Content_Types].xml', contentTypes(names)], ...list]);
}

/** A slide or a layout, element by element. Text is escaped, so that none of it looks like the elements sought here. */
function fixSlide(xml: string, { eastAsian, complex, language }: Writing): string {
  let id = 0;
  const fallbacks = `<a:ea typeface="${eastAsian}"/><a:cs typeface="${complex}"/>`;
  const decorative =
    '<a:extLst><a:ext uri="{C183D7F6-B498-43B3-948B-1728B52AA6E4}"><adec:decorative xmlns:adec="http://schemas.microsoft.com/office/drawing/2017/decorative" val="1"/></a:ext></a:extLst>';
  const isLayout = xml.includes('<p:sldLayout');
  const title = `<p:ph type="title"${isLayout ? ' hasCustomPrompt="1"' : ''}/>`;
  const noText = `<p:txBody><a:bodyPr/><a:lstStyle/><a:p><a:endParaRPr lang="${language}"/></a:p></p:txBody>`;
  return (
    xml
      // Tables take their ids from the number of the slide, which other elements have already.
      .replace(/<p:cNvPr id="\d+"/g, () => {
        id += 1;
        return `<p:cNvPr id="${id}"`;
      })
      .replace(
        new RegExp(`(<p:cNvPr id="\\d+" name="${DECORATION} \\d+">)(?=</p:cNvPr>)`, 'g'),
        `$1${decorative}`,
      )
      // Its own name for data stands for a description that is empty.
      .replace(/(name="Picture \d+" descr=")preencoded\.png"/g, '$1"')
      // The index makes a placeholder of its own of what is the title.
      .replace(/<p:ph\s[^>]*type="title"[^>]*>/g, title)
      // The font of the Latin letters would be asked for all others too.
      .replace(/<a:ea typeface="[^"]*"[^>]*\/><a:cs typeface="[^"]*"[^>]*\/>/g, fallbacks)
      .replaceAll(' altLang="en-US"', '')
      // Placeholders of layouts forget their margins.
      .replaceAll(
        '<a:bodyPr wrap="square" rtlCol="0">',
        '<a:bodyPr wrap="square" lIns="0" tIns="0" rIns="0" bIns="0" rtlCol="0">',
      )
      // Dots are in the font that Office has them in, numbers in that of their text instead of that of headings.
      .replace(/<a:buSzPct val="100000"\/>(?=<a:buChar)/g, '<a:buFont typeface="Arial"/>')
      .replaceAll('<a:buSzPct val="100000"/>', '')
      .replaceAll('<a:buFont typeface="+mj-lt"/>', '')
      .replace(/<a:pPr\s+/g, '<a:pPr ')
      .replaceAll('<a:ln></a:ln>', '<a:ln><a:noFill/></a:ln>')
      .replaceAll('</p:spPr></p:sp>', `</p:spPr>${noText}</p:sp>`)
      .replaceAll('</p:bgPr>', '<a:effectLst/></p:bgPr>')
      .replaceAll('<a:tblPr/>', '<a:tblPr firstRow="1" bandRow="1"/>')
      .replace(
        /<a:r>(<a:rPr [^>]*>(?:(?!<a:t>).)*<\/a:rPr>)<a:t>([^<]*\v[^<]*)<\/a:t><\/a:r>/gs,
        breakRun,
      )
  );
}

/** The lines of an author, each a run. */
function breakRun(_: string, properties: string, text: string): string {
  return text
    .split(LINE_BREAK)
    .map((line) => (line === '' ? '' : `<a:r>${properties}<a:t>${line}</a:t></a:r>`))
    .join(`<a:br>${properties}</a:br>`);
}

/** Chart parts are numbered over all presentations of the process by pptxgenjs; here by their places in this one. */
async function addCharts(parts: Parts, { deck, writing }: Deck): Promise<void> {
  let number = 0;
  for (const [at, page] of deck.pages.entries()) {
    const charts = page.elements.filter(
      (element): element is ChartElement => element.kind === 'chart',
    );
    if (charts.length === 0) continue;
    const first = number;
    for (const chart of charts) {
      number += 1;
      const workbook = `Microsoft_Excel_Worksheet${number}.xlsx`;
      parts.set(`ppt/charts/chart${number}.xml`, chartXml(chart, writing));
      parts.set(
        `ppt/charts/_rels/chart${number}.xml.rels`,
        relationships([['package', `../embeddings/${workbook}`]]),
      );
      parts.set(`ppt/embeddings/${workbook}`, await workbookOf(chartRows(chart)));
    }
    let link = first;
    edit(parts, `ppt/slides/_rels/slide${at + 1}.xml.rels`, (xml) =>
      xml.replace(/Target="\/ppt\/charts\/chart\d+\.xml"/g, () => {
        link += 1;
        return `Target="../charts/chart${link}.xml"`;
      }),
    );
  }
}

/**
 * Notes for the pages that have some, with a master that is listed where the schema wants it and has a theme of its own.
 * A presentation without notes has no such parts.
 */
function addNotes(parts: Parts, { deck, writing }: Deck): void {
  let count = 0;
  for (const [at, page] of deck.pages.entries()) {
    const name = `notesSlide${at + 1}.xml`;
    const notes = notesOf(page.notes);
    if (notes === '') {
      edit(parts, `ppt/slides/_rels/slide${at + 1}.xml.rels`, (xml) =>
        xml.replace(/<Relationship [^>]*\/notesSlide"[^>]*>/, ''),
      );
      continue;
    }
    count += 1;
    const { language } = writing;
    parts.set(`ppt/notesSlides/${name}`, notesSlide(notes, { language, isRightToLeft }));
    parts.set(
      `ppt/notesSlides/_rels/${name}.rels`,
      relationships([
        ['notesMaster', '../notesMasters/notesMaster1.xml'],
        ['slide', `../slides/slide${at + 1}.xml`],
      ]),
    );
  }
  edit(parts, PRESENTATION, (xml) => {
    const list = /<p:notesMasterIdLst>.*?<\/p:notesMasterIdLst>/.exec(xml)?.[0] ?? '';
    const without = xml.replace(list, '');
    return count === 0 ? without : without.replace('<p:sldIdLst>', `${list}<p:sldIdLst>`);
  });
  if (count === 0) {
    edit(parts, PRESENTATION_LINKS, (xml) =>
      xml.replace(/<Relationship [^>]*\/notesMaster"[^>]*>/, ''),
    );
    return;
  }
  parts.set('ppt/notesMasters/notesMaster1.xml', notesMaster(writing.language));
  parts.set(
    'ppt/notesMasters/_rels/notesMaster1.xml.rels',
    relationships([['theme', '../theme/theme2.xml']]),
  );
  parts.set('ppt/theme/theme2.xml', parts.get('ppt/theme/theme1.xml') ?? '');
}

function notesOf(notes: string): string {
  return cleanText(notes).trim() === '' ? '' : cleanParagraph(notes);
}

function edit(parts: Parts, name: string, change: (xml: string) => string): void {
  const xml = parts.get(name);
  if (typeof xml !== 'string') throw new Error(`The presentation has no part ${name}`);
  parts.set(name, change(xml));
}
