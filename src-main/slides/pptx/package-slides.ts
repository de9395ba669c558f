import type { Link } from '../../documents/office/office-package.ts';
import { walk, type XmlElement } from '../../documents/office/read-xml.ts';
import { unzipParts } from '../../documents/office/zip-parts.ts';

/** A presentation as far as it could be read. */
export interface Package {
  readonly parts: ReadonlyMap<string, Uint8Array>;
  /** The roots of the parts that are well-formed XML. */
  readonly roots: ReadonlyMap<string, XmlElement>;
  /** By the part that has them; '' for the package. */
  readonly links: ReadonlyMap<string, readonly Link[]>;
}

const PRESENTATION = 'ppt/presentation.xml';
/** Ids of slides are below, those of masters and layouts from here on. */
const FIRST_MASTER_ID = 2_147_483_648;
const FIRST_SLIDE_ID = 256;
/** What has text must have a paragraph. */
const TEXT_BODIES = new Set(['p:txBody', 'a:txBody', 'c:rich', 'c:txPr']);
/** The relationships that a part of a folder has once each. */
const CHAINS: Readonly<Record<string, readonly string[]>> = {
  slides: ['slideLayout'],
  slideLayouts: ['slideMaster'],
  slideMasters: ['theme'],
  notesSlides: ['notesMaster', 'slide'],
  notesMasters: ['theme'],
};

/** What is wrong with the slides of a package, their masters and charts: each a sentence with the part and the problem. */
export async function checkPackageSlides(whole: Package): Promise<string[]> {
  const problems = [...checkIds(whole), ...checkLists(whole), ...checkChains(whole)];
  for (const [part, root] of whole.roots) problems.push(...checkElements(part, root));
  return [...problems, ...(await checkCharts(whole))];
}

function partsIn({ roots }: Package, folder: string): [string, XmlElement][] {
  return [...roots].filter(
    ([name]) => name.startsWith(`ppt/${folder}/`) && !name.endsWith('.rels'),
  );
}

function checkIds(whole: Package): string[] {
  return Object.keys(CHAINS).flatMap((folder) =>
    partsIn(whole, folder).flatMap(([part, root]) => {
      const seen = new Set<string>();
      return [...walk(root)].flatMap(({ name, attributes }) => {
        if (name !== 'p:cNvPr') return [];
        const id = attributes.get('id') ?? '';
        if (!/^[1-9]\d*$/.test(id)) return [`${part} has a shape with the id "${id}".`];
        if (seen.has(id)) return [`${part} has two shapes with the id ${id}.`];
        seen.add(id);
        return [];
      });
    }),
  );
}

interface Listed {
  readonly id: string;
  readonly link: string;
}

/** The lists of slides, masters and layouts. */
function checkLists(whole: Package): string[] {
  const problems: string[] = [];
  const presentation = whole.roots.get(PRESENTATION);
  const slides = presentation === undefined ? [] : idsOf(presentation, 'p:sldId');
  const masters = presentation === undefined ? [] : idsOf(presentation, 'p:sldMasterId');
  const notes = presentation === undefined ? [] : idsOf(presentation, 'p:notesMasterId');
  const layouts = partsIn(whole, 'slideMasters').flatMap(([, root]) =>
    idsOf(root, 'p:sldLayoutId'),
  );
  if (masters.length === 0) problems.push(`${PRESENTATION} has no slide master.`);
  for (const { id } of slides) {
    const isSlideId = Number(id) >= FIRST_SLIDE_ID && Number(id) < FIRST_MASTER_ID;
    if (!isSlideId) problems.push(`${PRESENTATION} has a slide with the id "${id}".`);
  }
  for (const { id } of [...masters, ...layouts]) {
    if (!(Number(id) >= FIRST_MASTER_ID)) {
      problems.push(`A slide master or layout has the id "${id}".`);
    }
  }
  problems.push(
    ...twice(slides, `${PRESENTATION} has two slides with the id`),
    ...twice([...masters, ...layouts], 'Two slide masters or layouts have the id'),
    ...checkListed(whole, { part: PRESENTATION, list: slides, type: 'slide' }),
    ...checkListed(whole, { part: PRESENTATION, list: masters, type: 'slideMaster' }),
    ...checkListed(whole, { part: PRESENTATION, list: notes, type: 'notesMaster' }),
  );
  for (const [part, root] of partsIn(whole, 'slideMasters')) {
    const list = idsOf(root, 'p:sldLayoutId');
    problems.push(...checkListed(whole, { part, list, type: 'slideLayout' }));
  }
  return problems;
}

function idsOf(root: XmlElement, wanted: string): Listed[] {
  return [...walk(root)]
    .filter(({ name }) => name === wanted)
    .map(({ attributes }) => ({
      id: attributes.get('id') ?? '',
      link: attributes.get('r:id') ?? '',
    }));
}

function twice(list: readonly Listed[], text: string): string[] {
  const ids = list.map(({ id }) => id);
  const repeated = new Set(ids.filter((id, at) => ids.indexOf(id) !== at));
  return [...repeated].map((id) => `${text} ${id}.`);
}

function checkListed(
  { links }: Package,
  { part, list, type }: { part: string; list: readonly Listed[]; type: string },
): string[] {
  const listed = new Set(list.map(({ link }) => link));
  return (links.get(part) ?? []).flatMap((link) =>
    link.type === type && !listed.has(link.id) ? [`${part} does not list ${link.target}.`] : [],
  );
}

/** Every slide has a layout, every layout a master that knows it, every master a theme of its own. */
function checkChains(whole: Package): string[] {
  const problems: string[] = [];
  const linksOf = (part: string) => whole.links.get(part) ?? [];
  const targetOf = (part: string, type: string): string | undefined =>
    linksOf(part).find((link) => link.type === type)?.target;
  const knows = (part: string, target: string): boolean =>
    linksOf(part).some((link) => link.target === target);
  for (const [folder, types] of Object.entries(CHAINS)) {
    for (const [part] of partsIn(whole, folder)) {
      for (const type of types) {
        const count = linksOf(part).filter((link) => link.type === type).length;
        if (count !== 1) problems.push(`${part} has ${count} relationships of the type ${type}.`);
      }
    }
  }
  const themes = new Set<string>();
  for (const [part] of ['slideMasters', 'notesMasters'].flatMap((one) => partsIn(whole, one))) {
    const theme = targetOf(part, 'theme');
    if (theme === undefined) continue;
    if (themes.has(theme)) problems.push(`${part} shares ${theme} with another master.`);
    themes.add(theme);
  }
  for (const [part] of partsIn(whole, 'slideLayouts')) {
    const master = targetOf(part, 'slideMaster');
    if (master === undefined || knows(master, part)) continue;
    problems.push(`${master} does not know ${part}.`);
  }
  for (const [part] of partsIn(whole, 'slides')) {
    if (!knows(PRESENTATION, part)) problems.push(`${PRESENTATION} does not know ${part}.`);
  }
  return problems;
}

/** Elements that PowerPoint repairs wherever they are. */
function checkElements(part: string, root: XmlElement): string[] {
  const problems: string[] = [];
  for (const { name, attributes, children } of walk(root)) {
    const has = (child: string): boolean => children.some((element) => element.name === child);
    if (TEXT_BODIES.has(name) && !has('a:p')) {
      problems.push(`${part} has a ${name} without a paragraph.`);
    }
    if (name === 'a:p' && children.slice(1).some((child) => child.name === 'a:pPr')) {
      problems.push(`${part} has a paragraph whose properties do not come first.`);
    }
    if (name === 'p:bgPr' && !has('a:effectLst')) {
      problems.push(`${part} has a background without a list of effects.`);
    }
    if (name === 'a:ext' && ['cx', 'cy'].some((key) => Number(attributes.get(key) ?? 0) < 0)) {
      problems.push(`${part} has a shape of negative size.`);
    }
    if (name === 'a:tbl') problems.push(...checkTable(part, children));
  }
  return problems;
}

function checkTable(part: string, children: readonly XmlElement[]): string[] {
  const columns = children.find(({ name }) => name === 'a:tblGrid')?.children.length ?? 0;
  const rows = children.filter(({ name }) => name === 'a:tr');
  const isOdd = rows.some(
    (row) => row.children.filter(({ name }) => name === 'a:tc').length !== columns,
  );
  return isOdd ? [`${part} has a table with a row that has not ${columns} cells.`] : [];
}

/** Every chart has its numbers in a workbook of its own. */
async function checkCharts(whole: Package): Promise<string[]> {
  const problems: string[] = [];
  for (const [part, root] of partsIn(whole, 'charts')) {
    const link = whole.links.get(part)?.find(({ type }) => type === 'package');
    const named = [...walk(root)].find(({ name }) => name === 'c:externalData');
    if (link === undefined || named?.attributes.get('r:id') !== link.id) {
      problems.push(`${part} has no workbook.`);
      continue;
    }
    const bytes = whole.parts.get(link.target);
    if (bytes !== undefined && !(await isWorkbook(bytes))) {
      problems.push(`${part} has a workbook that cannot be read: ${link.target}.`);
    }
  }
  return problems;
}

async function isWorkbook(bytes: Uint8Array): Promise<boolean> {
  try {
    const parts = await unzipParts(bytes);
    return parts.has('[Content_Types].xml') && parts.has('xl/workbook.xml');
  } catch {
    // What cannot be unpacked is no workbook.
    return false;
  }
}
