import { XML_HEAD } from './pptx-workbook.ts';
import { LINE_BREAK, xmlText } from './xml-text.ts';

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const NAMESPACES = `xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${OFFICE}" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"`;
const GROUP =
  '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/><a:chOff x="0" y="0"/><a:chExt cx="0" cy="0"/></a:xfrm></p:grpSpPr>';

/** The content types of parts by the start of their names; pictures and workbooks go by their extensions. */
export const PART_TYPES: Readonly<Record<string, string>> = {
  'docProps/app.xml': 'application/vnd.openxmlformats-officedocument.extended-properties+xml',
  'docProps/core.xml': 'application/vnd.openxmlformats-package.core-properties+xml',
  'ppt/charts/': 'application/vnd.openxmlformats-officedocument.drawingml.chart+xml',
  'ppt/notesMasters/': presentationml('notesMaster'),
  'ppt/notesSlides/': presentationml('notesSlide'),
  'ppt/presProps.xml': presentationml('presProps'),
  'ppt/presentation.xml': presentationml('presentation.main'),
  'ppt/slideLayouts/': presentationml('slideLayout'),
  'ppt/slideMasters/': presentationml('slideMaster'),
  'ppt/slides/': presentationml('slide'),
  'ppt/tableStyles.xml': presentationml('tableStyles'),
  'ppt/theme/': 'application/vnd.openxmlformats-officedocument.theme+xml',
  'ppt/viewProps.xml': presentationml('viewProps'),
};
const EXTENSION_TYPES: Readonly<Record<string, string>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

function presentationml(kind: string): string {
  return `application/vnd.openxmlformats-officedocument.presentationml.${kind}+xml`;
}

/** The content types of exactly these parts. */
export function contentTypes(names: readonly string[]): string {
  const defaults = Object.entries(EXTENSION_TYPES)
    .filter(([extension]) => names.some((name) => name.endsWith(`.${extension}`)))
    .map(([extension, type]) => `<Default Extension="${extension}" ContentType="${type}"/>`);
  const overrides = names.flatMap((name) => {
    if (!name.endsWith('.xml')) return [];
    const type = Object.entries(PART_TYPES).find(([start]) => name.startsWith(start))?.[1];
    return type === undefined ? [] : [`<Override PartName="/${name}" ContentType="${type}"/>`];
  });
  return `${XML_HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${defaults.join('')}${overrides.join('')}</Types>`;
}

/** Relationships `rId1`, `rId2` and so on; the type is the last part of its name. */
export function relationships(list: readonly (readonly [type: string, target: string])[]): string {
  const entries = list.map(
    ([type, target], at) =>
      `<Relationship Id="rId${at + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `${XML_HEAD}<Relationships xmlns="${PACKAGE}/relationships">${entries.join('')}</Relationships>`;
}

/** Without times: the same deck gives the same bytes. */
export function coreProperties(title: string): string {
  return `${XML_HEAD}<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${xmlText(title)}</dc:title><dc:creator>HyperAgent</dc:creator><cp:lastModifiedBy>HyperAgent</cp:lastModifiedBy><cp:revision>1</cp:revision></cp:coreProperties>`;
}

export function appProperties({ slides, notes }: { slides: number; notes: number }): string {
  return `${XML_HEAD}<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><Application>HyperAgent</Application><Slides>${slides}</Slides><Notes>${notes}</Notes></Properties>`;
}

/** Points from the top left of a portrait page. */
interface NotesBox {
  readonly x: number;
  readonly y: number;
  readonly cx: number;
  readonly cy: number;
}

const PICTURE: NotesBox = { x: 685_800, y: 1_143_000, cx: 5_486_400, cy: 3_086_100 };
const BODY: NotesBox = { x: 685_800, y: 4_400_550, cx: 5_486_400, cy: 3_600_450 };

function transform({ x, y, cx, cy }: NotesBox): string {
  return `<a:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="${cx}" cy="${cy}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom>`;
}

/** Only the picture of the slide and the notes; PowerPoint strips the placeholders of pptxgenjs by a repair. */
export function notesMaster(language: string): string {
  const map =
    '<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/>';
  const letters =
    '<a:defRPr sz="1200" kern="1200"><a:solidFill><a:schemeClr val="tx1"/></a:solidFill><a:latin typeface="+mn-lt"/><a:ea typeface="+mn-ea"/><a:cs typeface="+mn-cs"/></a:defRPr>';
  return `${XML_HEAD}<p:notesMaster ${NAMESPACES}><p:cSld><p:bg><p:bgRef idx="1001"><a:schemeClr val="bg1"/></p:bgRef></p:bg><p:spTree>${GROUP}<p:sp><p:nvSpPr><p:cNvPr id="2" name="Slide Image Placeholder 1"/><p:cNvSpPr><a:spLocks noGrp="1" noRot="1" noChangeAspect="1"/></p:cNvSpPr><p:nvPr><p:ph type="sldImg" idx="2"/></p:nvPr></p:nvSpPr><p:spPr>${transform(PICTURE)}<a:noFill/><a:ln w="12700"><a:solidFill><a:prstClr val="black"/></a:solidFill></a:ln></p:spPr></p:sp><p:sp><p:nvSpPr><p:cNvPr id="3" name="Notes Placeholder 2"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr><p:ph type="body" sz="quarter" idx="3"/></p:nvPr></p:nvSpPr><p:spPr>${transform(BODY)}</p:spPr><p:txBody><a:bodyPr vert="horz" lIns="91440" tIns="45720" rIns="91440" bIns="45720" rtlCol="0"/><a:lstStyle/><a:p><a:pPr lvl="0"/><a:endParaRPr lang="${language}"/></a:p></p:txBody></p:sp></p:spTree></p:cSld>${map}<p:notesStyle><a:lvl1pPr marL="0" algn="l" defTabSz="914400" rtl="0" eaLnBrk="1" latinLnBrk="0" hangingPunct="1">${letters}</a:lvl1pPr></p:notesStyle></p:notesMaster>`;
}

/** What the speaker says, a paragraph for each of its lines. */
export function notesSlide(
  notes: string,
  { language, isRightToLeft }: { language: string; isRightToLeft: (line: string) => boolean },
): string {
  const paragraph = (line: string): string => {
    const direction = isRightToLeft(line) ? '<a:pPr algn="r" rtl="1"/>' : '';
    const text = xmlText(line);
    const run = text === '' ? '' : `<a:r><a:rPr lang="${language}"/><a:t>${text}</a:t></a:r>`;
    return `<a:p>${direction}${run}<a:endParaRPr lang="${language}"/></a:p>`;
  };
  const body = notes.split(LINE_BREAK).map(paragraph).join('');
  return `${XML_HEAD}<p:notes ${NAMESPACES}><p:cSld><p:spTree>${GROUP}<p:sp><p:nvSpPr><p:cNvPr id="2" name="Slide Image Placeholder 1"/><p:cNvSpPr><a:spLocks noGrp="1" noRot="1" noChangeAspect="1"/></p:cNvSpPr><p:nvPr><p:ph type="sldImg"/></p:nvPr></p:nvSpPr><p:spPr/></p:sp><p:sp><p:nvSpPr><p:cNvPr id="3" name="Notes Placeholder 2"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr><p:ph type="body" idx="1"/></p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:lstStyle/>${body}</p:txBody></p:sp></p:spTree></p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:notes>`;
}
