import { once } from '#main/base/once.ts';
import { readXml } from '#main/documents/office/read-xml.ts';
import { zipParts } from '#main/documents/office/zip-parts.ts';
import { parsePptx } from '#main/documents/parsers/pptx.ts';
import { loadSlideFonts } from '#main/slides/fonts.ts';
import { writeXml } from '#main/slides/pptx/write-xml.ts';
import { readTemplateParts } from '#main/slides/template/template-parts.ts';
import { placesOf } from '#main/slides/template/template-places.ts';
import { decorationOf } from '#main/slides/template/template-shapes.ts';
import { type FuzzTarget, HOLE } from '../types.ts';

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const ROOT = `xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${OFFICE}" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"`;

const link = (id: string, type: string, target: string): string =>
  `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
const links = (...list: readonly string[]): string =>
  `<Relationships>${list.join('')}</Relationships>`;

/** The parts of a template with one layout, which is the input. */
const PARTS: Readonly<Record<string, string>> = {
  '[Content_Types].xml': '<Types/>',
  '_rels/.rels': links(link('rId1', 'officeDocument', 'ppt/presentation.xml')),
  'ppt/presentation.xml': `<p:presentation ${ROOT}><p:sldMasterIdLst><p:sldMasterId r:id="rId1"/></p:sldMasterIdLst><p:sldSz cx="12192000" cy="6858000"/></p:presentation>`,
  'ppt/_rels/presentation.xml.rels': links(link('rId1', 'slideMaster', 'master.xml')),
  'ppt/master.xml': `<p:sldMaster ${ROOT}><p:cSld><p:spTree/></p:cSld><p:clrMap tx1="dk1"/><p:sldLayoutIdLst><p:sldLayoutId r:id="rId1"/></p:sldLayoutIdLst></p:sldMaster>`,
  'ppt/_rels/master.xml.rels': links(
    link('rId1', 'slideLayout', 'layout.xml'),
    link('rId2', 'theme', 'theme.xml'),
  ),
  'ppt/theme.xml': `<a:theme ${ROOT}><a:themeElements/></a:theme>`,
};
const LAYOUT = `<p:sldLayout ${ROOT} type="obj"><p:cSld><p:bg><p:bgPr><a:gradFill><a:gsLst><a:gs pos="0"><a:srgbClr val="102030"><a:lumMod val="50000"/></a:srgbClr></a:gs><a:gs pos="100000"><a:schemeClr val="tx1"/></a:gs></a:gsLst><a:lin ang="2700000"/></a:gradFill></p:bgPr></p:bg><p:spTree><p:sp><p:nvSpPr><p:cNvPr id="2" name="T"/><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:spPr><a:xfrm><a:off x="1" y="2"/><a:ext cx="900000" cy="800000"/></a:xfrm></p:spPr></p:sp><p:grpSp><p:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="9" cy="9"/><a:chOff x="0" y="0"/><a:chExt cx="3" cy="3"/></a:xfrm></p:grpSpPr><p:sp><p:nvSpPr><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm rot="60000" flipH="1"><a:off x="1" y="2"/><a:ext cx="9" cy="8"/></a:xfrm><a:custGeom><a:pathLst><a:path w="9" h="9"><a:moveTo><a:pt x="0" y="0"/></a:moveTo><a:cubicBezTo><a:pt x="1" y="1"/><a:pt x="2" y="2"/><a:pt x="3" y="3"/></a:cubicBezTo>${HOLE}<a:close/></a:path></a:pathLst></a:custGeom><a:solidFill><a:hslClr hue="60000" sat="50%" lum="50%"/></a:solidFill></p:spPr><p:txBody><a:p><a:r><a:rPr sz="1200"/><a:t>Own</a:t></a:r></a:p></p:txBody></p:sp></p:grpSp></p:spTree></p:cSld></p:sldLayout>`;

const slideFonts = once(loadSlideFonts);
const scale = { x: 0.00008, y: 0.00008, left: 0, top: 0 };

/** The parts of a presentation with one slide, which is the input. */
const DECK: Readonly<Record<string, string>> = {
  '_rels/.rels': PARTS['_rels/.rels'] ?? '',
  'ppt/presentation.xml': `<p:presentation ${ROOT}><p:sldIdLst><p:sldId r:id="rId1"/></p:sldIdLst></p:presentation>`,
  'ppt/_rels/presentation.xml.rels': links(link('rId1', 'slide', 'slide.xml')),
  'ppt/_rels/slide.xml.rels': links(
    link('rId1', 'chart', 'slide.xml'),
    link('rId2', 'notesSlide', 'slide.xml'),
  ),
};
const SLIDE = `<p:sld ${ROOT} xmlns:c="c" xmlns:mc="mc" show="0"><p:cSld><p:spTree><p:sp><p:nvSpPr><p:cNvPr id="2" name="T"/><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>Title</a:t></a:r><a:br/></a:p></p:txBody></p:sp><p:grpSp>${HOLE}<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr><a:tc><a:txBody><a:p/></a:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame><p:graphicFrame><c:chart r:id="rId1"/></p:graphicFrame></p:grpSp><mc:AlternateContent><mc:Choice Requires="p"><p:sp/></mc:Choice></mc:AlternateContent></p:spTree></p:cSld></p:sld>`;

/** What main reads of presentations that somebody else made. */
export const SLIDE_TARGETS: readonly FuzzTarget[] = [
  {
    name: 'slide-template',
    faces: 'file',
    seeds: [LAYOUT],
    // It is packed into a file for each run, which takes longer than reading it.
    maxBytes: 256 * 1024,
    tokens: [
      ...[
        '<p:sp>',
        '</p:sp>',
        '<p:grpSp>',
        '<a:blip r:embed="rId1"/>',
        '<p:pic>',
        '<a:pt x="1e308" y="-1"/>',
      ],
      ...[
        '<a:gs pos="NaN">',
        '<a:lin ang="9e99"/>',
        'cx="-1"',
        'w="0"',
        '<mc:AlternateContent>',
        '&#0;',
      ],
      ...[
        '<!DOCTYPE x>',
        '<![CDATA[',
        ']]>',
        'xmlns:a="x"',
        '<a:quadBezTo>',
        '<a:arcTo/>',
        'rot="1e9"',
      ],
    ],
    run: async ({ bytes }) => {
      const fonts = await slideFonts();
      const file = await zipParts([...Object.entries(PARTS), ['ppt/layout.xml', bytes]]);
      const { layouts, master } = await readTemplateParts(file);
      const colors = { scheme: new Map(), map: new Map() };
      for (const layout of layouts) {
        // What is taken over can be read again.
        readXml(writeXml(layout));
        placesOf(layout, { master, colors, scale });
        const text = { face: 'Arial', color: '000000' } as const;
        const tools = { colors, fonts, text, pictureKey: (name: string) => name, pageScale: scale };
        decorationOf(layout, tools);
      }
    },
  },
  {
    name: 'presentation-text',
    faces: 'file',
    seeds: [SLIDE],
    maxBytes: 256 * 1024,
    tokens: [
      '<c:pt idx="-1"/>',
      '<c:pt idx="9e9"><c:v>1</c:v></c:pt>',
      '<c:ser>',
      '<c:val>',
      '<a:p>',
    ],
    run: async ({ bytes }) => {
      const file = await zipParts([...Object.entries(DECK), ['ppt/slide.xml', bytes]]);
      await parsePptx(new Uint8Array(file), { chars: 100_000, pages: 9, unpackedBytes: 2 ** 24 });
    },
  },
];
