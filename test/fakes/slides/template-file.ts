import { zipParts } from '#main/documents/office/zip-parts.ts';
import { pngOf } from '../png.ts';

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const ROOT = `xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${OFFICE}" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:v="urn:v"`;
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

/** Points of a page of 960 × 540. */
export type Place = readonly [x: number, y: number, width: number, height: number];

const emu = (points: number): number => Math.round(points * 12_700);

export function frame([x, y, width, height]: Place): string {
  return `<a:xfrm><a:off x="${emu(x)}" y="${emu(y)}"/><a:ext cx="${emu(width)}" cy="${emu(height)}"/></a:xfrm>`;
}

/** A shape that is no placeholder. */
export function box(place: Place, color: string, text = ''): string {
  const run = text === '' ? '' : `<a:r><a:rPr lang="en-US" sz="1400"/><a:t>${text}</a:t></a:r>`;
  return `<p:sp><p:nvSpPr><p:cNvPr id="9" name="Box"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr>${frame(place)}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:solidFill><a:srgbClr val="${color}"/></a:solidFill></p:spPr><p:txBody><a:bodyPr/><a:lstStyle/><a:p>${run}<a:endParaRPr lang="en-US"/></a:p></p:txBody></p:sp>`;
}

export function picture(place: Place, link: string): string {
  return `<p:pic><p:nvPicPr><p:cNvPr id="9" name="Logo"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill><a:blip r:embed="${link}"/><a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr>${frame(place)}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>`;
}

export function placeholder(type: string, place: Place | null, idx?: number, style = ''): string {
  const kind = type === 'obj' ? '' : ` type="${type}"`;
  const where = place === null ? '' : frame(place);
  return `<p:sp><p:nvSpPr><p:cNvPr id="9" name="${type}"/><p:cNvSpPr/><p:nvPr><p:ph${kind}${idx === undefined ? '' : ` idx="${idx}"`}/></p:nvPr></p:nvSpPr><p:spPr>${where}</p:spPr><p:txBody><a:bodyPr/><a:lstStyle>${style}</a:lstStyle><a:p><a:endParaRPr lang="en-US"/></a:p></p:txBody></p:sp>`;
}

export interface TemplateOptions {
  /** English Metric Units; 16:9 unless given. */
  readonly size?: readonly [width: number, height: number];
  /** `accent1`, `dk1`, `lt1` and others. */
  readonly colors?: Readonly<Record<string, string>>;
  readonly fonts?: readonly [headings: string, body: string];
  readonly master?: { readonly shapes?: string; readonly background?: string };
  /** Shapes and background of each layout, by its type. */
  readonly layouts?: Readonly<
    Record<string, { readonly shapes: string; readonly background?: string }>
  >;
  /** Relationships of the master and of each layout, besides those that they need. */
  readonly links?: string;
  readonly parts?: Readonly<Record<string, string | Uint8Array>>;
}

const TITLE: Place = [60, 28, 840, 84];
const BODY: Place = [60, 130, 840, 340];

/** The layouts of a template as PowerPoint begins one. */
export const LAYOUTS: NonNullable<TemplateOptions['layouts']> = {
  title: {
    shapes: `${placeholder('ctrTitle', [120, 90, 720, 180], undefined, '<a:lvl1pPr algn="ctr"><a:defRPr sz="6000"/></a:lvl1pPr>')}${placeholder('subTitle', [120, 290, 720, 120], 1)}`,
  },
  obj: { shapes: placeholder('title', null) + placeholder('obj', null, 1) },
  secHead: {
    shapes: placeholder('title', [70, 140, 800, 200]) + placeholder('body', [70, 350, 800, 100], 1),
  },
  titleOnly: { shapes: placeholder('title', null) },
};

const COLORS = {
  ...{
    dk1: '102030',
    lt1: 'FFFFFF',
    dk2: '334455',
    lt2: 'EEEEEE',
    accent1: '7A1FA2',
    accent2: 'D9480F',
  },
  ...{ accent3: '2B8A3E', accent4: '1864AB', accent5: '862E9C', accent6: '5C940D' },
  ...{ hlink: '0000FF', folHlink: '800080' },
};

/** A template with a logo of one color, at the right of each page. */
export async function templateFile(options: TemplateOptions = {}): Promise<Buffer> {
  const {
    size = [12_192_000, 6_858_000],
    fonts = ['Georgia', 'Arial'],
    layouts = LAYOUTS,
  } = options;
  const { master = {}, links = '', parts = {} } = options;
  const colors = Object.entries({ ...COLORS, ...options.colors })
    .map(([name, color]) => `<a:${name}><a:srgbClr val="${color}"/></a:${name}>`)
    .join('');
  const [major, minor] = fonts.map(
    (font) => `<a:latin typeface="${font}"/><a:ea typeface=""/><a:cs typeface=""/>`,
  );
  const fill = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>';
  const line = `<a:ln w="9525">${fill}</a:ln>`;
  const effect = '<a:effectStyle><a:effectLst/></a:effectStyle>';
  const theme = `${HEAD}<a:theme ${ROOT} name="Own"><a:themeElements><a:clrScheme name="Own">${colors}</a:clrScheme><a:fontScheme name="Own"><a:majorFont>${major}</a:majorFont><a:minorFont>${minor}</a:minorFont></a:fontScheme><a:fmtScheme name="Own"><a:fillStyleLst>${fill.repeat(3)}</a:fillStyleLst><a:lnStyleLst>${line.repeat(3)}</a:lnStyleLst><a:effectStyleLst>${effect.repeat(3)}</a:effectStyleLst><a:bgFillStyleLst>${fill.repeat(3)}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>`;
  const tree = (shapes: string, background = ''): string =>
    `<p:cSld name="x">${background}<p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>${shapes}</p:spTree></p:cSld>`;
  const style = (size: number): string =>
    `<a:lvl1pPr algn="l"><a:defRPr sz="${size}"><a:solidFill><a:schemeClr val="tx1"/></a:solidFill></a:defRPr></a:lvl1pPr>`;
  const names = Object.keys(layouts);
  const number = placeholder('sldNum', [780, 500, 120, 24], 4);
  const logo = master.shapes ?? picture([880, 10, 60, 30], 'rIdLogo');
  const list = names
    .map((_, at) => `<p:sldLayoutId id="${2_147_483_700 + at}" r:id="rId${at + 1}"/>`)
    .join('');
  const map =
    'bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"';
  const background =
    master.background ?? '<p:bg><p:bgRef idx="1001"><a:schemeClr val="bg1"/></p:bgRef></p:bg>';
  const files: Record<string, string | Uint8Array> = {
    '[Content_Types].xml': `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    '_rels/.rels': related([['rId1', 'officeDocument', 'ppt/presentation.xml']]),
    'ppt/presentation.xml': `${HEAD}<p:presentation ${ROOT}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst><p:sldSz cx="${size[0]}" cy="${size[1]}"/></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': related([
      ['rId1', 'slideMaster', 'slideMasters/slideMaster1.xml'],
    ]),
    'ppt/slideMasters/slideMaster1.xml': `${HEAD}<p:sldMaster ${ROOT}>${tree(placeholder('title', TITLE) + placeholder('body', BODY, 1) + number + logo, background)}<p:clrMap ${map}/><p:sldLayoutIdLst>${list}</p:sldLayoutIdLst><p:txStyles><p:titleStyle>${style(3_600)}</p:titleStyle><p:bodyStyle>${style(2_400)}</p:bodyStyle><p:otherStyle/></p:txStyles></p:sldMaster>`,
    'ppt/slideMasters/_rels/slideMaster1.xml.rels': related(
      [
        ...names.map(
          (_, at) =>
            [`rId${at + 1}`, 'slideLayout', `../slideLayouts/slideLayout${at + 1}.xml`] as const,
        ),
        ['rIdTheme', 'theme', '../theme/theme1.xml'],
        ['rIdLogo', 'image', '../media/logo.png'],
      ],
      links,
    ),
    'ppt/theme/theme1.xml': theme,
    'ppt/media/logo.png': pngOf(40, 20, () => [200, 30, 30]),
  };
  for (const [at, name] of names.entries()) {
    const layout = layouts[name];
    files[`ppt/slideLayouts/slideLayout${at + 1}.xml`] =
      `${HEAD}<p:sldLayout ${ROOT} type="${name}">${tree(layout?.shapes ?? '', layout?.background)}<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>`;
    files[`ppt/slideLayouts/_rels/slideLayout${at + 1}.xml.rels`] = related(
      [
        ['rId1', 'slideMaster', '../slideMasters/slideMaster1.xml'],
        ['rIdLogo', 'image', '../media/logo.png'],
      ],
      links,
    );
  }
  return await zipParts(Object.entries({ ...files, ...parts }));
}

function related(
  list: readonly (readonly [id: string, type: string, target: string])[],
  more = '',
): string {
  const own = list.map(
    ([id, type, target]) =>
      `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${own.join('')}${more}</Relationships>`;
}

/** A relationship that leads outside. */
export function outside(id: string, type: string, target: string): string {
  return `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}" TargetMode="External"/>`;
}
