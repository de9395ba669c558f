import type { XmlElement } from '../../documents/office/read-xml.ts';
import type { TemplateParts } from '../template/template-parts.ts';
import { templatePicture } from '../template/template-picture.ts';
import type { DeckPictures, Page, PageLayout } from '../types.ts';
import { relationships } from './pptx-parts.ts';
import { writeXml } from './write-xml.ts';

/** How the writer names what goes into the placeholder of its layout. */
export const BODY_NAME = 'Body';

/** The smallest id of a layout: that of the master is before it. */
const FIRST_LAYOUT_ID = 2_147_483_649;
const LAYOUT_LINK = /\.\.\/slideLayouts\/slideLayout\d+\.xml/g;

type Parts = Map<string, string | Uint8Array>;

interface Inserted {
  readonly pages: readonly Page[];
  readonly template: TemplateParts;
  readonly pictures: DeckPictures;
}

/** Puts the master, layouts and theme of a template in the place of those that are there, and the slides on its layouts. */
export function insertTemplate(parts: Parts, { pages, template, pictures }: Inserted): void {
  for (const name of [...parts.keys()]) {
    if (/^ppt\/(?:slideMasters|slideLayouts|theme)\//.test(name)) parts.delete(name);
  }
  const media = new Map<string, string>();
  for (const name of template.pictures.keys()) {
    const picture = pictures.get(templatePicture(name));
    if (picture === undefined) continue;
    const target = `template${media.size + 1}.${picture.mimeType === 'image/png' ? 'png' : 'jpeg'}`;
    media.set(name, target);
    parts.set(`ppt/media/${target}`, picture.bytes);
  }
  parts.set('ppt/theme/theme1.xml', writeXml(template.theme));
  for (const [at, layout] of template.layouts.entries()) {
    const links: Link[] = [['slideMaster', '../slideMasters/slideMaster1.xml']];
    const root = written(layout, media, links);
    parts.set(`ppt/slideLayouts/slideLayout${at + 1}.xml`, writeXml(root));
    parts.set(`ppt/slideLayouts/_rels/slideLayout${at + 1}.xml.rels`, relationships(links));
  }
  const links: Link[] = [
    ...template.layouts.map(
      (_, at): Link => ['slideLayout', `../slideLayouts/slideLayout${at + 1}.xml`],
    ),
    ['theme', '../theme/theme1.xml'],
  ];
  const master = written(template.master, media, links);
  parts.set(
    'ppt/slideMasters/slideMaster1.xml',
    writeXml(withLayouts(master, template.layouts.length)),
  );
  parts.set('ppt/slideMasters/_rels/slideMaster1.xml.rels', relationships(links));
  for (const [at, { layout }] of pages.entries()) {
    if (layout === undefined) continue;
    const [slide, rels] = [
      `ppt/slides/slide${at + 1}.xml`,
      `ppt/slides/_rels/slide${at + 1}.xml.rels`,
    ];
    const target = `../slideLayouts/slideLayout${layout.index + 1}.xml`;
    parts.set(rels, String(parts.get(rels)).replace(LAYOUT_LINK, target));
    parts.set(slide, onLayout(String(parts.get(slide)), layout));
  }
}

type Link = readonly [type: string, target: string];

/** With ids of its own for shapes and pictures; what shows a picture that could not be read is left out. */
function written(root: XmlElement, media: ReadonlyMap<string, string>, links: Link[]): XmlElement {
  let id = 0;
  const write = (element: XmlElement): XmlElement[] => {
    const { name, attributes } = element;
    const own = new Map(attributes);
    if (name === 'p:cNvPr') {
      id += 1;
      own.set('id', String(id));
    }
    const picture = attributes.get('r:embed');
    if (picture !== undefined) {
      const target = media.get(picture);
      if (target === undefined) return [];
      const link = `../media/${target}`;
      let at = links.findIndex(([, known]) => known === link);
      if (at < 0) at = links.push(['image', link]) - 1;
      own.set('r:embed', `rId${at + 1}`);
    }
    const children = element.children.flatMap(write);
    // LibreOffice leaves it out, and PowerPoint asks for it.
    if (name === 'p:bgPr' && !children.some((child) => /^a:effect/.test(child.name))) {
      children.push({ name: 'a:effectLst', attributes: new Map(), children: [], text: '' });
    }
    const isEmptied =
      element.children.length > 0 && !children.some((child) => child.name === 'a:blip');
    if (name === 'a:blipFill' && isEmptied)
      return [{ name: 'a:noFill', attributes: new Map(), children: [], text: '' }];
    if (name === 'p:blipFill' && isEmptied) return [];
    if (name === 'p:pic' && !children.some((child) => child.name === 'p:blipFill')) return [];
    return [{ ...element, attributes: own, children }];
  };
  return write(root)[0] ?? root;
}

/** The list of layouts comes after the map of colors. */
function withLayouts(master: XmlElement, count: number): XmlElement {
  const list: XmlElement = {
    ...{ name: 'p:sldLayoutIdLst', attributes: new Map(), text: '' },
    children: Array.from({ length: count }, (_, at) => ({
      ...{ name: 'p:sldLayoutId', children: [], text: '' },
      attributes: new Map([
        ['id', String(FIRST_LAYOUT_ID + at)],
        ['r:id', `rId${at + 1}`],
      ]),
    })),
  };
  const at = master.children.findIndex(({ name }) => name === 'p:clrMap') + 1;
  return { ...master, children: master.children.toSpliced(at, 0, list) };
}

/** A slide whose texts take nothing over from its layout that they were not measured with. */
function onLayout(xml: string, { title, body }: PageLayout): string {
  const placeholder =
    body === null
      ? ''
      : `<p:ph${body.type === 'obj' ? '' : ` type="${body.type}"`}${body.idx === null ? '' : ` idx="${Number(body.idx) || 0}"`}/>`;
  return xml
    .replaceAll('<p:ph type="title"/>', `<p:ph type="${title}"/>`)
    .replace(
      new RegExp(`(name="${BODY_NAME}"></p:cNvPr>)<p:cNvSpPr txBox="1"/><p:nvPr></p:nvPr>`),
      `$1<p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr>${placeholder}</p:nvPr>`,
    )
    .replaceAll('></a:bodyPr>', '><a:noAutofit/></a:bodyPr>')
    .replace(/<\/a:lnSpc>(<a:spcBef>.*?<\/a:spcBef>)?/g, (_, before?: string) => {
      const none = (name: string): string => `<a:${name}><a:spcPts val="0"/></a:${name}>`;
      return `</a:lnSpc>${before ?? none('spcBef')}${none('spcAft')}`;
    })
    .replace(/<a:rPr ([^>]*)>/g, (_, own: string) => {
      const bold = / b="/.test(` ${own}`) ? '' : ' b="0"';
      return `<a:rPr ${own}${bold} i="0" cap="none" spc="0">`;
    });
}
