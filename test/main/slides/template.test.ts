import { beforeAll, describe, expect, it } from 'vitest';
import type { Deck, Slide } from '#contract/slides.ts';
import { unzipParts } from '#main/documents/office/zip-parts.ts';
import { checkDeck } from '#main/slides/check-deck.ts';
import { VisualRuns } from '#main/slides/drawing/visual-runs.ts';
import { loadSlideFonts, type SlideFonts } from '#main/slides/fonts.ts';
import { layOutDeck } from '#main/slides/lay-out-deck.ts';
import { checkPackage } from '#main/slides/pptx/check-package.ts';
import { writePptx } from '#main/slides/pptx/write-pptx.ts';
import { type Template, templateOf } from '#main/slides/template/template-look.ts';
import { readTemplateParts } from '#main/slides/template/template-parts.ts';
import { templatePicture } from '#main/slides/template/template-picture.ts';
import { contrast } from '#main/slides/themes.ts';
import type { Box, DeckPictures, Element, LaidOutDeck } from '#main/slides/types.ts';
import { pngOf } from '../../fakes/png.ts';
import { EVERY_LAYOUT } from '../../fakes/slides/every-layout.ts';
import { DECK_PICTURES } from '../../fakes/slides/read-decks.ts';
import {
  box,
  frame,
  LAYOUTS,
  outside,
  picture,
  placeholder,
  type TemplateOptions,
  templateFile,
} from '../../fakes/slides/template-file.ts';

const common = { notes: '', sources: [] };
const DECK: Deck = {
  ...{ title: 'Bees', theme: 'plain' },
  slides: [
    { layout: 'title', title: 'Bees', subtitle: 'What they do', ...common },
    { layout: 'section', title: 'Work', text: 'By day', ...common },
    { layout: 'bullets', title: 'Tasks', items: ['They fly', 'They dance'], ...common },
    {
      ...{ layout: 'table', title: 'Count', columns: ['Hive', 'Bees'], rows: [['A', '100']] },
      ...{ notes: 'Say it.', sources: ['count.csv'] },
    },
    { layout: 'closing', title: 'Thanks', text: '', ...common },
  ],
};

let fonts: SlideFonts;
let runs: VisualRuns;
beforeAll(async () => {
  fonts = await loadSlideFonts();
  runs = await VisualRuns.load(fonts);
});

interface Made {
  readonly template: Template;
  readonly laidOut: LaidOutDeck;
  readonly pictures: DeckPictures;
  readonly bytes: Buffer;
  readonly parts: ReadonlyMap<string, string>;
}

async function made(file: Buffer, deck: Deck = DECK): Promise<Made> {
  const read = await readTemplateParts(file);
  const pictures = new Map(DECK_PICTURES);
  for (const [name, bytes] of read.pictures) {
    if (!/\.png$/.test(name)) continue;
    pictures.set(templatePicture(name), { bytes, mimeType: 'image/png', width: 40, height: 20 });
  }
  const template = await templateOf(read, { fonts, pictures, runs });
  const laidOut = layOutDeck(deck, pictures, fonts, template.look);
  const bytes = await writePptx(laidOut, pictures, template);
  const decoder = new TextDecoder();
  const parts = new Map(
    [...(await unzipParts(bytes))].map(([name, content]) => [name, decoder.decode(content)]),
  );
  return { template, laidOut, pictures, bytes, parts };
}

const textOf = (deck: LaidOutDeck, page: number, role: string) =>
  deck.pages[page]?.elements.find(
    (element): element is Extract<Element, { kind: 'text' }> =>
      element.kind === 'text' && element.role === role,
  );

/** Without what calculating with fractions adds. */
const rounded = (place: Box | undefined): Box | undefined =>
  place && {
    ...{ x: Math.round(place.x * 10) / 10, y: Math.round(place.y * 10) / 10 },
    ...{ width: Math.round(place.width * 10) / 10, height: Math.round(place.height * 10) / 10 },
  };

describe('a template', () => {
  it('gives each kind of slide its layout, and texts their places, sizes and colors there', async () => {
    const { template, laidOut } = await made(await templateFile());
    const { frames } = template.look;
    const used = Object.values(frames).map(({ layout }) => layout?.index);
    expect(used).toEqual([0, 2, 0, 1, 3]);
    expect(frames.title.layout).toMatchObject({
      title: 'ctrTitle',
      body: { type: 'subTitle', idx: '1' },
    });
    // 720 × 180 points without the margins of PowerPoint.
    const title = textOf(laidOut, 0, 'title');
    expect(rounded(title?.box)).toEqual({ x: 127.2, y: 93.6, width: 705.6, height: 172.8 });
    expect(title).toMatchObject({
      ...{ align: 'center', style: { size: 60, face: 'Georgia', color: '102030' } },
    });
    expect(textOf(laidOut, 2, 'title')?.box).toMatchObject({ x: 67.2, y: 31.6 });
    expect(rounded(textOf(laidOut, 2, 'body')?.box)).toMatchObject({
      x: 67.2,
      y: 133.6,
      width: 825.6,
    });
    expect(template.look.theme).toMatchObject({
      accent: '7A1FA2',
      ground: 'FFFFFF',
      body: 'Arial',
    });
  });

  it('is in the presentation: its master, layouts, theme and pictures, and nothing of ours', async () => {
    const { bytes, parts } = await made(await templateFile());
    expect(await checkPackage(bytes)).toEqual([]);
    const layouts = [...parts.keys()].filter((name) => /^ppt\/slideLayouts\/[^/]+$/.test(name));
    expect(layouts).toHaveLength(4);
    expect(parts.get('ppt/theme/theme1.xml')).toContain('<a:latin typeface="Georgia"/>');
    expect(parts.get('ppt/slideMasters/_rels/slideMaster1.xml.rels')).toContain(
      '../media/template1.png',
    );
    const linked = [1, 2, 3, 4, 5].map(
      (slide) =>
        /slideLayout(\d)\.xml/.exec(
          parts.get(`ppt/slides/_rels/slide${slide}.xml.rels`) ?? '',
        )?.[1],
    );
    expect(linked).toEqual(['1', '3', '2', '4', '1']);
    expect(parts.get('ppt/slides/slide1.xml')).toContain('<p:ph type="ctrTitle"/>');
    expect(parts.get('ppt/slides/slide1.xml')).toContain('<p:ph type="subTitle" idx="1"/>');
    expect(parts.get('ppt/slides/slide3.xml')).toContain('<p:ph type="title"/>');
    expect(parts.get('ppt/slides/slide3.xml')).toContain('<p:ph idx="1"/>');
    // The logo is of the layout: slides do not repeat it.
    expect(parts.get('ppt/slides/slide3.xml')).not.toContain('<p:pic>');
  });

  it('is written in the fonts of its theme, and takes over nothing that was not measured', async () => {
    const { parts } = await made(await templateFile());
    const xml = parts.get('ppt/slides/slide3.xml') ?? '';
    expect(xml).toContain('<a:latin typeface="+mj-lt"');
    expect(xml).toContain('<a:latin typeface="+mn-lt"');
    const runsOf = [...xml.matchAll(/<a:rPr ([^>]*)>/g)].map(([, own]) => own);
    expect(runsOf.every((own) => / b="[01]"/.test(` ${own}`) && own?.includes('cap="none"'))).toBe(
      true,
    );
    expect(xml.match(/<a:bodyPr[^>]*>(?!<a:noAutofit\/>)/g)).toBeNull();
    expect(xml.match(/<\/a:lnSpc>(?!<a:spcBef>)/g)).toBeNull();
  });

  it.each([
    ['as Google Slides has them', [9_144_000, 5_143_500], 0.75, 540],
    ['4:3', [9_144_000, 6_858_000], 0.75, 720],
  ] as const)('has pages of another size: %s', async (_name, size, by, height) => {
    const { parts, laidOut, bytes, template } = await made(await templateFile({ size }));
    expect(await checkPackage(bytes)).toEqual([]);
    expect(parts.get('ppt/presentation.xml')).toContain(
      `<p:sldSz cx="${size[0]}" cy="${size[1]}"/>`,
    );
    expect(template.look.size).toEqual({ width: 960, height });
    expect(laidOut.pages[2]?.size).toEqual({ width: 960, height });
    const drawn = textOf(laidOut, 2, 'body');
    const written = Number(
      /sz="(\d+)"[^>]* b="0"/.exec(parts.get('ppt/slides/slide3.xml') ?? '')?.[1],
    );
    expect(written / 100).toBeCloseTo((drawn?.style.size ?? 0) * by, 0);
    expect(checkDeck(DECK, laidOut, { pictures: new Map(), fonts })).toEqual([]);
  });

  it('holds every layout without a problem', async () => {
    const deck: Deck = { ...DECK, slides: EVERY_LAYOUT as Slide[] };
    const { bytes, laidOut, pictures } = await made(await templateFile(), deck);
    expect(await checkPackage(bytes)).toEqual([]);
    expect(checkDeck(deck, laidOut, { pictures, fonts })).toEqual([]);
  });

  it('keeps texts readable on a ground of any color, and puts a panel on one of many', async () => {
    const fill = (color: string): string =>
      `<p:bg><p:bgPr><a:solidFill><a:srgbClr val="${color}"/></a:solidFill><a:effectLst/></p:bgPr></p:bg>`;
    const dark = await made(await templateFile({ master: { background: fill('1A1A2E') } }));
    const body = textOf(dark.laidOut, 2, 'body');
    expect(contrast(body?.style.color ?? '', '1A1A2E')).toBeGreaterThan(4.5);
    const stripes = pngOf(960, 540, (x) =>
      Math.floor(x / 60) % 2 === 0 ? [0, 0, 0] : [255, 255, 255],
    );
    const shapes = picture([0, 0, 960, 540], 'rIdLogo');
    const busy = await made(
      await templateFile({ master: { shapes }, parts: { 'ppt/media/logo.png': stripes } }),
    );
    const page = busy.laidOut.pages[2];
    const panels = page?.elements.filter(({ kind }) => kind === 'shape') ?? [];
    expect(panels).toHaveLength(2);
    expect(textOf(busy.laidOut, 2, 'body')?.on).toBe('FFFFFF');
    expect(checkDeck(DECK, busy.laidOut, { pictures: busy.pictures, fonts })).toEqual([]);
  });

  it('keeps its own titles and footers in place for readers who begin at the right', async () => {
    const slides: Slide[] = [
      { layout: 'bullets', title: 'النحل', items: ['يطير النحل', 'يرقص النحل'], ...common },
    ];
    const ltr = await made(await templateFile());
    const rtl = await made(await templateFile(), { ...DECK, title: 'النحل', slides });
    expect(rtl.laidOut.isRightToLeft).toBe(true);
    for (const role of ['title', 'body']) {
      const [own, other] = [textOf(rtl.laidOut, 0, role), textOf(ltr.laidOut, 2, role)];
      expect(own?.align).toBe('right');
      expect(rounded(own?.box)).toEqual(rounded(other?.box));
    }
  });

  it('whose title is in the middle of its only layout gets it at the top of pages with a body', async () => {
    const layouts = {
      obj: {
        shapes:
          placeholder('title', [60, 240, 840, 80]) + placeholder('obj', [60, 330, 840, 100], 1),
      },
    };
    const { laidOut, bytes, pictures } = await made(await templateFile({ layouts }));
    expect(await checkPackage(bytes)).toEqual([]);
    expect(textOf(laidOut, 2, 'title')?.box.y).toBeLessThan(60);
    expect(checkDeck(DECK, laidOut, { pictures, fonts })).toEqual([]);
  });
});

describe('what leads out of a template', () => {
  const click = '<a:hlinkClick r:id="rIdOut" r:link="rIdOut"/>';
  const evil: TemplateOptions = {
    links:
      outside('rIdOut', 'hyperlink', 'http://out.test/') +
      outside('rIdPic', 'image', 'http://out.test/p.png') +
      outside('rIdBad', 'image', '../media/%zz.png').replace(' TargetMode="External"', ''),
    layouts: {
      ...LAYOUTS,
      titleOnly: {
        shapes:
          placeholder('title', null) +
          box([10, 10, 50, 20], 'FF0000', 'Home').replace(
            '<p:cNvPr id="9" name="Box"/>',
            `<p:cNvPr id="9" name="Box">${click}</p:cNvPr>`,
          ) +
          picture([0, 0, 20, 20], 'rIdPic') +
          picture([0, 0, 20, 20], 'rIdBad') +
          picture([0, 0, 20, 20], 'rIdLogo').replace('r:embed="rIdLogo"', 'r:link="rIdPic"') +
          `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="7" name="o"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>${frame([0, 0, 9, 9]).replaceAll('a:xfrm', 'p:xfrm')}<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/presentationml/2006/ole"><p:oleObj r:id="rIdOut" progId="Package"/></a:graphicData></a:graphic></p:graphicFrame>` +
          '<mc:AlternateContent><mc:Choice Requires="v"><v:run/></mc:Choice><mc:Fallback><p:contentPart r:id="rIdOut"/></mc:Fallback></mc:AlternateContent>',
        background: `<p:bg><p:bgPr><a:blipFill><a:blip r:embed="rIdPic"/></a:blipFill><a:effectLst/></p:bgPr></p:bg>`,
      },
    },
  };

  it('is not in the presentation', async () => {
    const { parts, bytes } = await made(await templateFile(evil));
    expect(await checkPackage(bytes)).toEqual([]);
    const all = [...parts]
      .filter(([name]) => /\.(?:xml|rels)$/.test(name))
      .map(([, text]) => text)
      .join('\n');
    expect(all).not.toMatch(
      /out\.test|External|hlink(?:Click|Hover)|oleObj|contentPart|r:link|<v:run/,
    );
    expect(parts.get('ppt/slideLayouts/slideLayout4.xml')).toContain('Home');
  });

  it('is not followed where a part names one that is not there, or itself', async () => {
    const links = '<Relationship Id="rId1" Type="x/slideLayout" Target="../../../../etc/passwd"/>';
    const file = await templateFile({ links });
    await expect(made(file)).resolves.toBeDefined();
  });
});

describe('what is no template is refused, with what to do:', () => {
  const zip = async (parts: TemplateOptions['parts']) =>
    await templateFile({ ...(parts === undefined ? {} : { parts }) });
  it.each<[name: string, file: () => Promise<Buffer>, message: RegExp]>([
    ['macros', () => zip({ 'ppt/vbaProject.bin': 'x' }), /macros.*Save it without/],
    ['no zip file', async () => Buffer.from('PK? no'), /damaged/],
    ['PowerPoint 97', async () => Buffer.from('d0cf11e0a1b11ae1', 'hex'), /Save it as .*\.pptx/],
    [
      'another kind of file',
      () => zip({ '_rels/.rels': '<Relationships/>' }),
      /not a presentation/,
    ],
    [
      'no layout with a title',
      () => templateFile({ layouts: { blank: { shapes: '' } } }),
      /no layout with a title/,
    ],
    ['no layout', () => templateFile({ layouts: {} }), /no layout with a title/],
    ['pages that stand', () => templateFile({ size: [6_858_000, 12_192_000] }), /Slide Size/],
    ['pages without a size', () => templateFile({ size: [0, 0] }), /Slide Size/],
    ['broken XML', () => zip({ 'ppt/theme/theme1.xml': '<a:theme><b></a:theme>' }), /damaged/],
    [
      'a document type',
      () => zip({ 'ppt/theme/theme1.xml': '<!DOCTYPE x [<!ENTITY e "y">]><a:theme/>' }),
      /damaged/,
    ],
    [
      'bytes that are no text',
      () => zip({ 'ppt/theme/theme1.xml': new Uint8Array([0xff, 0xfe, 0xfd]) }),
      /UTF-8/,
    ],
    [
      'a part that is huge',
      () => zip({ 'ppt/media/big.bin': new Uint8Array(210 * 1024 * 1024) }),
      /larger than 200 MB/,
    ],
  ])('%s', async (_name, file, message) => {
    await expect(made(await file())).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:BAD_REQUEST|LIBRARY_UNREADABLE|FILE_TOO_LARGE)$/),
      message: expect.stringMatching(message),
    });
  });

  it('depth without end', async () => {
    const deep = '<p:grpSp>'.repeat(5_000) + '</p:grpSp>'.repeat(5_000);
    const layouts = { ...LAYOUTS, titleOnly: { shapes: placeholder('title', null) + deep } };
    const refused = made(await templateFile({ layouts }));
    await expect(refused).rejects.toMatchObject({ message: expect.stringContaining('damaged') });
  });
});
