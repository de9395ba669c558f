import { beforeAll, describe, expect, test } from 'vitest';
import { readXml, XmlError } from '#main/documents/office/read-xml.ts';
import { unzipParts, zipParts } from '#main/documents/office/zip-parts.ts';
import { checkPackage } from '#main/slides/pptx/check-package.ts';
import { writePptx } from '#main/slides/pptx/write-pptx.ts';
import {
  chartElement,
  deckOf,
  PICTURES,
  page,
  tableElement,
  titleElement,
} from '../../fakes/slides/laid-out-deck.ts';
import { zip } from '../../fakes/zip.ts';

type Parts = Map<string, string | Uint8Array>;

const TYPES = '[Content_Types].xml';
const SLIDE = 'ppt/slides/slide1.xml';
const SLIDE_LINKS = 'ppt/slides/_rels/slide1.xml.rels';
const PRESENTATION = 'ppt/presentation.xml';
const MASTER = 'ppt/slideMasters/slideMaster1.xml';

let sound: Map<string, Uint8Array>;

beforeAll(async () => {
  const box = { x: 100, y: 100, width: 90, height: 90 };
  const deck = deckOf([
    page(
      'Numbers',
      [
        titleElement('Numbers'),
        chartElement('column'),
        { kind: 'picture', box, path: 'team/photo.png', alt: 'A photo' },
      ],
      { notes: 'Say this' },
    ),
    page('A table', [titleElement('A table'), tableElement()]),
  ]);
  sound = await unzipParts(await writePptx(deck, PICTURES));
});

/** Changes the text of a part, once; what is not there to be changed is an error of the test. */
function edit(parts: Parts, name: string, [from, to]: readonly [string | RegExp, string]): void {
  const content = parts.get(name);
  if (content === undefined) throw new Error(`There is no ${name}`);
  const text = typeof content === 'string' ? content : new TextDecoder().decode(content);
  const changed = text.replace(from, to);
  if (changed === text) throw new Error(`${name} has no ${from}`);
  parts.set(name, changed);
}

async function problemsOf(change: (parts: Parts) => void): Promise<string[]> {
  const parts: Parts = new Map(sound);
  change(parts);
  return await checkPackage(await zipParts([...parts]));
}

test('a sound presentation has no problems', async () => {
  expect(await problemsOf(() => undefined)).toEqual([]);
});

interface Break {
  readonly name: string;
  readonly change: (parts: Parts) => void;
  /** All problems that are found. */
  readonly found: readonly (string | RegExp)[];
}

const linked = (id: string, type: string, target: string, more = ''): [string, string] => [
  '</Relationships>',
  `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"${more}/></Relationships>`,
];

const BREAKS: readonly Break[] = [
  {
    name: 'a picture that is lost',
    change: (parts) => parts.delete('ppt/media/image-1-1.png'),
    found: [`${SLIDE_LINKS} refers to ppt/media/image-1-1.png, which is not there.`],
  },
  {
    name: 'a relationship that leads outside',
    change: (parts) =>
      edit(
        parts,
        SLIDE_LINKS,
        linked('rId9', 'image', 'http://a.example/x.png', ' TargetMode="External"'),
      ),
    found: [`${SLIDE_LINKS} refers to something outside: http://a.example/x.png.`],
  },
  {
    name: 'an address without a mode',
    change: (parts) => edit(parts, SLIDE_LINKS, linked('rId9', 'image', 'file:///etc/passwd')),
    found: [`${SLIDE_LINKS} refers to something outside: file:///etc/passwd.`],
  },
  {
    name: 'a relationship that is there twice',
    change: (parts) => edit(parts, SLIDE_LINKS, linked('rId1', 'image', '../media/image-1-1.png')),
    found: [`${SLIDE_LINKS} has rId1 twice.`],
  },
  {
    name: 'a relationship that is not used',
    change: (parts) => edit(parts, SLIDE_LINKS, linked('rId9', 'image', '../media/image-1-1.png')),
    found: [`${SLIDE} has a relationship rId9 to ppt/media/image-1-1.png that it does not use.`],
  },
  {
    name: 'an id of no relationship',
    change: (parts) => edit(parts, SLIDE, [/r:embed="rId\d+"/, 'r:embed="rId77"']),
    found: [`${SLIDE} has no relationship rId77.`, /image-1-1\.png that it does not use/],
  },
  {
    name: 'relationships of a part that is not there',
    change: (parts) => parts.set('ppt/slides/_rels/slide9.xml.rels', parts.get(SLIDE_LINKS) ?? ''),
    found: ['ppt/slides/_rels/slide9.xml.rels belongs to no part.'],
  },
  {
    name: 'a content type for a part that is not there',
    change: (parts) =>
      edit(parts, TYPES, [
        '</Types>',
        '<Override PartName="/ppt/slideMasters/slideMaster2.xml" ContentType="application/xml"/></Types>',
      ]),
    found: [
      `${TYPES} has a content type for ppt/slideMasters/slideMaster2.xml, which is not there.`,
    ],
  },
  {
    name: 'a content type that is missing',
    change: (parts) => edit(parts, TYPES, [/<Default Extension="png"[^>]*>/, '']),
    found: ['ppt/media/image-1-1.png has no content type.'],
  },
  {
    name: 'a content type that is wrong',
    change: (parts) => edit(parts, TYPES, [/<Override PartName="\/ppt\/slides\/slide1[^>]*>/, '']),
    found: [/^ppt\/slides\/slide1\.xml has the content type application\/xml, not .*slide\+xml\.$/],
  },
  {
    name: 'a content type that is there twice',
    change: (parts) => edit(parts, TYPES, [/(<Default Extension="png"[^>]*>)/, '$1$1']),
    found: [`${TYPES} has a content type for png twice.`],
  },
  {
    name: 'shapes with the same id',
    change: (parts) => edit(parts, SLIDE, ['<p:cNvPr id="3"', '<p:cNvPr id="2"']),
    found: [`${SLIDE} has two shapes with the id 2.`],
  },
  {
    name: 'a shape with an id that is no number',
    change: (parts) => edit(parts, SLIDE, ['<p:cNvPr id="3"', '<p:cNvPr id="x"']),
    found: [`${SLIDE} has a shape with the id "x".`],
  },
  {
    name: 'a tag that is not closed',
    change: (parts) => edit(parts, SLIDE, ['</p:spTree>', '']),
    found: [/^ppt\/slides\/slide1\.xml is not well-formed XML: <\/p:cSld>, which closes nothing/],
  },
  {
    name: 'a control character',
    change: (parts) => edit(parts, SLIDE, ['Numbers', 'Num\u0001bers']),
    found: [/^ppt\/slides\/slide1\.xml is not well-formed XML: a character that XML cannot hold/],
  },
  {
    name: 'bytes that are not UTF-8',
    change: (parts) => parts.set('docProps/app.xml', Buffer.from([0x3c, 0xff, 0x3e])),
    found: ['docProps/app.xml is not well-formed XML: bytes that are not UTF-8.'],
  },
  {
    name: 'the same slide id for two slides',
    change: (parts) => edit(parts, PRESENTATION, ['<p:sldId id="257"', '<p:sldId id="256"']),
    found: [`${PRESENTATION} has two slides with the id 256.`],
  },
  {
    name: 'a slide id that is too small',
    change: (parts) => edit(parts, PRESENTATION, ['<p:sldId id="257"', '<p:sldId id="1"']),
    found: [`${PRESENTATION} has a slide with the id "1".`],
  },
  {
    name: 'a slide that is not listed',
    change: (parts) => edit(parts, PRESENTATION, [/<p:sldId id="257"[^>]*>/, '']),
    found: [`${PRESENTATION} does not list ppt/slides/slide2.xml.`],
  },
  {
    name: 'a layout with the id of the master',
    change: (parts) =>
      edit(parts, MASTER, [/<p:sldLayoutId id="\d+"/, '<p:sldLayoutId id="2147483648"']),
    found: ['Two slide masters or layouts have the id 2147483648.'],
  },
  {
    name: 'a layout that is not listed',
    change: (parts) => edit(parts, MASTER, [/<p:sldLayoutId [^>]*>/, '']),
    found: [`${MASTER} does not list ppt/slideLayouts/slideLayout1.xml.`],
  },
  {
    name: 'a slide without a layout',
    change: (parts) => edit(parts, SLIDE_LINKS, [/<Relationship [^>]*\/slideLayout"[^>]*>/, '']),
    found: [`${SLIDE} has 0 relationships of the type slideLayout.`],
  },
  {
    name: 'two masters with one theme',
    change: (parts) =>
      edit(parts, 'ppt/notesMasters/_rels/notesMaster1.xml.rels', ['theme2', 'theme1']),
    found: ['ppt/notesMasters/notesMaster1.xml shares ppt/theme/theme1.xml with another master.'],
  },
  {
    name: 'a chart without its workbook',
    change: (parts) =>
      edit(parts, 'ppt/charts/chart1.xml', [/<c:externalData.*<\/c:externalData>/, '']),
    found: [
      /^ppt\/charts\/chart1\.xml has a relationship rId1 to .*\.xlsx that it does not use\.$/,
      'ppt/charts/chart1.xml has no workbook.',
    ],
  },
  {
    name: 'a workbook that is none',
    change: (parts) => parts.set('ppt/embeddings/Microsoft_Excel_Worksheet1.xlsx', 'PK'),
    found: [/^ppt\/charts\/chart1\.xml has a workbook that cannot be read: /],
  },
  {
    name: 'a text without a paragraph',
    change: (parts) => edit(parts, SLIDE, [/<a:p>.*?<\/a:p>/, '']),
    found: [`${SLIDE} has a p:txBody without a paragraph.`],
  },
  {
    name: 'properties in the middle of a paragraph',
    change: (parts) => edit(parts, SLIDE, ['<a:endParaRPr', '<a:pPr/><a:endParaRPr']),
    found: [`${SLIDE} has a paragraph whose properties do not come first.`],
  },
  {
    name: 'a table with a cell too few',
    change: (parts) => edit(parts, 'ppt/slides/slide2.xml', [/<a:tc>.*?<\/a:tc>/, '']),
    found: ['ppt/slides/slide2.xml has a table with a row that has not 3 cells.'],
  },
  {
    name: 'a background without effects',
    change: (parts) => edit(parts, 'ppt/slideLayouts/slideLayout2.xml', ['<a:effectLst/>', '']),
    found: ['ppt/slideLayouts/slideLayout2.xml has a background without a list of effects.'],
  },
  {
    name: 'a shape of negative size',
    change: (parts) => edit(parts, SLIDE, [/cx="[1-9]/, 'cx="-1']),
    found: [`${SLIDE} has a shape of negative size.`],
  },
  {
    name: 'a program',
    change: (parts) => parts.set('ppt/vbaProject.bin', 'x'),
    found: ['ppt/vbaProject.bin holds a program.', 'ppt/vbaProject.bin has no content type.'],
  },
  {
    name: 'a name that no part may have',
    change: (parts) => parts.set('ppt/media/a%2f b.png', 'x'),
    found: ['ppt/media/a%2f b.png is not a name that a part may have.'],
  },
  {
    name: 'no presentation',
    change: (parts) => parts.delete(PRESENTATION),
    found: [
      'ppt/presentation.xml is missing.',
      /belongs to no part/,
      /^_rels\/\.rels refers to ppt\/presentation\.xml/,
      /has a content type for ppt\/presentation\.xml/,
      'ppt/presentation.xml has no slide master.',
      /^ppt\/presentation\.xml does not list /,
    ],
  },
];

test.each(BREAKS)('$name', async ({ change, found }) => {
  const problems = await problemsOf(change);
  const matches = (problem: string, one: string | RegExp): boolean =>
    typeof one === 'string' ? problem === one : one.test(problem);
  const unexpected = problems.filter((problem) => !found.some((one) => matches(problem, one)));
  const missing = found.filter((one) => !problems.some((problem) => matches(problem, one)));
  expect({ unexpected, missing }).toEqual({ unexpected: [], missing: [] });
});

describe('the archive', () => {
  test('a part that is there twice, in another case, and an entry for a folder', async () => {
    const entries = [...sound].map(([name, data]) => ({ name, data: Buffer.from(data) }));
    const more = [SLIDE.toUpperCase().replace('PPT', 'ppt'), SLIDE, 'ppt/'].map((name) => ({
      name,
      data: Buffer.from(sound.get(SLIDE) ?? ''),
    }));
    const problems = await checkPackage(zip([...entries, ...more]));
    const twice = `${more[0]?.name} is in the file twice.`;
    expect(problems).toEqual(
      expect.arrayContaining([
        ...[twice, `${SLIDE} is in the file twice.`, 'ppt/ is an entry for a folder.'],
      ]),
    );
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['some text', Buffer.from('a presentation')],
  ])('%s', async (_, bytes) => {
    expect(await checkPackage(bytes)).toEqual(['The file is not a zip archive that can be read.']);
  });
});

describe('XML', () => {
  test('is read with its elements and attributes', () => {
    const root = readXml(
      '\ufeff<?xml version="1.0"?>\n<!-- a - b --><a:x xmlns:a="u" k="&lt;&#x41;&apos;"><a:y/>t<![CDATA[<]]></a:x>\n',
    );
    expect([root.name, root.attributes.get('k'), root.children.map(({ name }) => name)]).toEqual([
      ...['a:x', "<A'", ['a:y']],
    ]);
  });

  test.each([
    ['', 'no element'],
    ['<a></a><b/>', 'two roots'],
    ['<a>', 'not closed'],
    ['<a></b>', 'another one closed'],
    ['</a>', 'nothing to close'],
    ['<a/>x', 'text outside'],
    ['<a b=c/>', 'no quotes'],
    ['<a b="1" b="2"/>', 'an attribute twice'],
    ['<a b="<"/>', 'a tag in an attribute'],
    ['<a b="1"c="2"/>', 'no space'],
    ['<a>&nbsp;</a>', 'an entity of HTML'],
    ['<a>&</a>', 'a lone ampersand'],
    ['<a>&#0;</a>', 'no character'],
    ['<a>&#x110000;</a>', 'beyond all characters'],
    ['<a>]]></a>', 'the end of no section'],
    ['<p:a/>', 'no namespace'],
    ['<!DOCTYPE a><a/>', 'a document type'],
    ['<a><!-- -- --></a>', 'a comment in a comment'],
    ['<a>\ud800</a>', 'half of a character'],
    ['<1a/>', 'no name'],
  ])('%j is not well formed: %s', (text) => {
    expect(() => readXml(text)).toThrow(XmlError);
  });
});
