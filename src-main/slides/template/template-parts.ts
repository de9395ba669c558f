import { AppError } from '#contract/errors.ts';
import { checkZip } from '../../documents/zip-check.ts';
import { childOf, readXml, type XmlElement, XmlError } from '../pptx/package-xml.ts';
import { unzipParts } from '../pptx/zip-parts.ts';
import { cleanPart } from './clean-part.ts';

/** What a foreign presentation looks like, without its slides. Nothing in it leads outside of it. */
export interface TemplateParts {
  /** Of its slides, in English Metric Units: 914,400 to an inch. */
  readonly width: number;
  readonly height: number;
  readonly master: XmlElement;
  /** In the order of the master. */
  readonly layouts: readonly XmlElement[];
  readonly theme: XmlElement;
  /** By the value of `r:embed` of the master and its layouts. */
  readonly pictures: ReadonlyMap<string, Uint8Array>;
}

/** Of the file, unpacked. */
const LARGEST = 200 * 1024 * 1024;
const LARGEST_XML = 8 * 1024 * 1024;
const MOST_LAYOUTS = 60;
const MOST_PICTURES = 60;
const LARGEST_PICTURE = 20 * 1024 * 1024;
/** Of width to height: from portrait-like to very wide, pages cannot hold what layouts put there. */
const RATIOS = { least: 1.3, most: 2.1 } as const;

interface Link {
  readonly id: string;
  readonly type: string;
  readonly target: string;
}

/**
 * The master, layouts, theme and pictures of a template (.pptx, .potx). Of several masters the first counts. Throws
 * `BAD_REQUEST` with what to do for a file that is none, has programs, has no layout with a title or another shape of
 * pages, and what `checkZip` throws.
 */
export async function readTemplateParts(bytes: Buffer): Promise<TemplateParts> {
  if (bytes.subarray(0, 4).toString('hex') === 'd0cf11e0') {
    throw refused('It is protected by a password, or of PowerPoint 97 to 2003. Save it as .pptx.');
  }
  checkZip(bytes, LARGEST);
  const parts = await unzipParts(bytes);
  const whole = new ForeignPackage(parts);
  whole.refusePrograms();
  const main = whole.linked('', 'officeDocument')[0]?.target;
  if (main === undefined) throw refused('It is not a presentation. Give a .pptx or .potx file.');
  const presentation = whole.root(main, 'p:presentation');
  const size = childOf(presentation, 'p:sldSz');
  const width = Number(size?.attributes.get('cx'));
  const height = Number(size?.attributes.get('cy'));
  if (!(width / height >= RATIOS.least && width / height <= RATIOS.most)) {
    throw refused(
      'Its pages are neither 16:9 nor 4:3 nor between. Set "Slide Size" to widescreen in PowerPoint, and save it.',
    );
  }
  const masterPart = whole.listed(main, presentation, 'p:sldMasterId')[0];
  if (masterPart === undefined) throw refused('It has no slide master.');
  const pictures = new Map<string, Uint8Array>();
  const cleaned = (part: string, name: string): XmlElement =>
    cleanPart(whole.root(part, name), (id) => whole.picture(part, id, pictures));
  const themePart = whole.linked(masterPart, 'theme')[0]?.target;
  if (themePart === undefined) throw refused('Its slide master has no theme.');
  const layouts = whole
    .listed(masterPart, whole.root(masterPart, 'p:sldMaster'), 'p:sldLayoutId')
    .slice(0, MOST_LAYOUTS)
    .map((part) => cleaned(part, 'p:sldLayout'));
  return {
    ...{ width, height, layouts, pictures },
    master: cleaned(masterPart, 'p:sldMaster'),
    // A theme has its pictures under ids of its own, and needs none.
    theme: cleanPart(whole.root(themePart, 'a:theme'), () => null),
  };
}

export function refused(why: string, cause?: unknown): AppError {
  return new AppError('BAD_REQUEST', `This file cannot be a template. ${why}`, { cause });
}

/** The part that a relationship of another leads to; null for what is no path. */
function partAt(to: string, from: string): string | null {
  try {
    return decodeURIComponent(new URL(to, `part:/${from}`).pathname.slice(1));
  } catch {
    // Neither an address, nor one that was escaped as one.
    return null;
  }
}

/** The parts of a file that anybody may have made. */
class ForeignPackage {
  readonly #parts: ReadonlyMap<string, Uint8Array>;
  readonly #links = new Map<string, readonly Link[]>();

  constructor(parts: ReadonlyMap<string, Uint8Array>) {
    this.#parts = parts;
  }

  refusePrograms(): void {
    const types = this.#text('[Content_Types].xml');
    const has = [...this.#parts.keys()].some((name) => /vbaProject|activeX/i.test(name));
    if (!has && !/macroEnabled|vbaProject/i.test(types)) return;
    throw refused('It has macros. Save it without them: as .pptx or .potx.');
  }

  /** The root of a part, which has this name. */
  root(part: string, name: string): XmlElement {
    const root = this.#read(part);
    if (root.name === name) return root;
    throw refused('It is not one that PowerPoint, LibreOffice or Google Slides write.');
  }

  /** The parts that a part leads to, of one type, in their order. */
  linked(part: string, type: string): readonly Link[] {
    return this.#linksOf(part).filter((link) => link.type === type);
  }

  /** The parts that elements of this name in a part refer to. */
  listed(part: string, root: XmlElement, name: string): string[] {
    const lists = root.children.flatMap(({ children }) => children);
    return lists.flatMap((element) => {
      if (element.name !== name) return [];
      const id = element.attributes.get('r:id');
      return this.#linksOf(part).find((link) => link.id === id)?.target ?? [];
    });
  }

  /** Adds the picture that a part has under this id, and returns its name there; null where there is none. */
  picture(part: string, id: string, pictures: Map<string, Uint8Array>): string | null {
    const link = this.linked(part, 'image').find((one) => one.id === id);
    const bytes = link === undefined ? undefined : this.#parts.get(link.target);
    if (link === undefined || bytes === undefined) return null;
    if (pictures.has(link.target)) return link.target;
    if (pictures.size >= MOST_PICTURES || bytes.length > LARGEST_PICTURE) return null;
    pictures.set(link.target, bytes);
    return link.target;
  }

  #linksOf(part: string): readonly Link[] {
    const known = this.#links.get(part);
    if (known !== undefined) return known;
    const slash = part.lastIndexOf('/') + 1;
    const name = `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`;
    const links = this.#parts.has(name)
      ? this.#read(name).children.flatMap(({ attributes }): Link[] => {
          const to = attributes.get('Target') ?? '';
          const isOutside =
            attributes.get('TargetMode') === 'External' || /^[a-z][a-z\d+.-]*:|^\/\//i.test(to);
          const target = isOutside ? null : partAt(to, part);
          if (target === null || !this.#parts.has(target)) return [];
          const type = (attributes.get('Type') ?? '').split('/').at(-1) ?? '';
          return [{ id: attributes.get('Id') ?? '', type, target }];
        })
      : [];
    this.#links.set(part, links);
    return links;
  }

  #read(part: string): XmlElement {
    try {
      return readXml(this.#text(part));
    } catch (error) {
      if (error instanceof XmlError) throw refused(`It is damaged: ${error.message}.`, error);
      throw error;
    }
  }

  #text(part: string): string {
    const bytes = this.#parts.get(part);
    if (bytes === undefined) throw refused(`It is damaged: ${part} is missing.`);
    if (bytes.length > LARGEST_XML) throw refused('One of its parts is too large.');
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch (error) {
      throw refused(`It is damaged: ${part} is not UTF-8.`, error);
    }
  }
}
