import { checkZip } from '../zip-check.ts';
import { readXml, type XmlElement, XmlError } from './read-xml.ts';
import { unzipParts } from './zip-parts.ts';

const LARGEST_XML = 8 * 1024 * 1024;

/** A relationship of a part. */
export interface Link {
  readonly id: string;
  /** The last part of its type. */
  readonly type: string;
  /** The name of the part that it leads to. */
  readonly target: string;
}

/** Why a file is not as Office writes it; makes the error that is thrown. */
export type Refuse = (why: string, cause?: unknown) => Error;

/** The parts of an Office file that anybody may have made. What leads outside of it is not there. */
export class OfficePackage {
  readonly #parts: ReadonlyMap<string, Uint8Array>;
  readonly #refuse: Refuse;
  readonly #links = new Map<string, readonly Link[]>();

  private constructor(parts: ReadonlyMap<string, Uint8Array>, refuse: Refuse) {
    this.#parts = parts;
    this.#refuse = refuse;
  }

  /** `most`: bytes of the file, unpacked. Throws what `refuse` makes, and what `checkZip` throws. */
  static async open(
    bytes: Buffer,
    { most, refuse }: { readonly most: number; readonly refuse: Refuse },
  ): Promise<OfficePackage> {
    if (bytes.subarray(0, 4).toString('hex') === 'd0cf11e0') {
      throw refuse(
        'It is protected by a password, or of Office 97 to 2003. Save it as .docx, .xlsx or .pptx, without a password.',
      );
    }
    checkZip(bytes, most);
    return new OfficePackage(await unzipParts(bytes), refuse);
  }

  hasMacros(): boolean {
    const types = this.#text('[Content_Types].xml');
    const has = [...this.#parts.keys()].some((name) => /vbaProject|activeX/i.test(name));
    return has || /macroEnabled|vbaProject/i.test(types);
  }

  /** The bytes of a part; undefined for one that is not there. */
  part(name: string): Uint8Array | undefined {
    return this.#parts.get(name);
  }

  /** The root of a part, which has this name. */
  root(part: string, name: string): XmlElement {
    const root = this.#read(part);
    if (root.name === name) return root;
    throw this.#refuse('It is not one that Office, LibreOffice or Google write.');
  }

  /** The parts that a part leads to, of one type, in their order; those of the package are of the part ''. */
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
      if (error instanceof XmlError) throw this.#refuse(`It is damaged: ${error.message}.`, error);
      throw error;
    }
  }

  #text(part: string): string {
    const bytes = this.#parts.get(part);
    if (bytes === undefined) throw this.#refuse(`It is damaged: ${part} is missing.`);
    if (bytes.length > LARGEST_XML) throw this.#refuse('One of its parts is too large.');
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch (error) {
      throw this.#refuse(`It is damaged: ${part} is not UTF-8.`, error);
    }
  }
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
