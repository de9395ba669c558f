import { AppError } from '#contract/errors.ts';
import { OfficePackage } from '../../documents/office/office-package.ts';
import { childOf, type XmlElement } from '../../documents/office/read-xml.ts';
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
const MOST_LAYOUTS = 60;
const MOST_PICTURES = 60;
const LARGEST_PICTURE = 20 * 1024 * 1024;
/** Of width to height: from portrait-like to very wide, pages cannot hold what layouts put there. */
const RATIOS = { least: 1.3, most: 2.1 } as const;

/**
 * The master, layouts, theme and pictures of a template (.pptx, .potx). Of several masters the first counts. Throws
 * `BAD_REQUEST` with what to do for a file that is none, has programs, has no layout with a title or another shape of
 * pages, and what `checkZip` throws.
 */
export async function readTemplateParts(bytes: Buffer): Promise<TemplateParts> {
  const whole = await OfficePackage.open(bytes, { most: LARGEST, refuse: refused });
  if (whole.hasMacros()) throw refused('It has macros. Save it without them: as .pptx or .potx.');
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
    cleanPart(whole.root(part, name), (id) => addPicture(id, { whole, part, pictures }));
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

/** Adds the picture that a part has under this id, and returns its name; null where there is none. */
function addPicture(
  id: string,
  {
    whole,
    part,
    pictures,
  }: {
    readonly whole: OfficePackage;
    readonly part: string;
    readonly pictures: Map<string, Uint8Array>;
  },
): string | null {
  const name = whole.linked(part, 'image').find((one) => one.id === id)?.target;
  const bytes = name === undefined ? undefined : whole.part(name);
  if (name === undefined || bytes === undefined) return null;
  if (pictures.has(name)) return name;
  if (pictures.size >= MOST_PICTURES || bytes.length > LARGEST_PICTURE) return null;
  pictures.set(name, bytes);
  return name;
}
