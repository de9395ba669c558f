import { DomUtils, parseDocument } from 'htmlparser2';
import { unzipParts } from '#main/documents/office/zip-parts.ts';

/** An element of a part. */
export interface Found {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** All text in it. */
  readonly text: string;
  all(name: string): Found[];
  /** The only one of this name. */
  one(name: string): Found;
}

type Tag = ReturnType<typeof DomUtils.findAll>[number];

function foundIn(nodes: Tag['children'], name: string): Found[] {
  return DomUtils.findAll((tag) => tag.name === name, nodes).map(foundOf);
}

function foundOf(tag: Tag): Found {
  const all = (name: string): Found[] => foundIn(tag.children, name);
  return {
    name: tag.name,
    attributes: { ...tag.attribs },
    text: DomUtils.textContent(tag),
    all,
    one: (name) => onlyOne(all(name), `${name} in ${tag.name}`),
  };
}

function onlyOne(list: readonly Found[], what: string): Found {
  const [only] = list;
  if (only === undefined || list.length > 1) throw new Error(`${list.length} times ${what}`);
  return only;
}

/** A presentation, read by another parser than the one that the app checks it with. */
export interface OpenedPptx {
  readonly names: readonly string[];
  bytes(name: string): Uint8Array;
  xml(name: string): string;
  /** The root element of a part. */
  part(name: string): Found;
  /** From 1. */
  slide(number: number): Found;
}

export async function openPptx(file: Uint8Array): Promise<OpenedPptx> {
  const parts = await unzipParts(file);
  const bytes = (name: string): Uint8Array => {
    const found = parts.get(name);
    if (found === undefined) throw new Error(`There is no ${name}`);
    return found;
  };
  const xml = (name: string): string => new TextDecoder().decode(bytes(name));
  const part = (name: string): Found => {
    const { children } = parseDocument(xml(name), { xmlMode: true });
    const root = children.find(DomUtils.isTag);
    if (root === undefined) throw new Error(`${name} is empty`);
    return foundOf(root);
  };
  return {
    names: [...parts.keys()],
    bytes,
    xml,
    part,
    slide: (number) => part(`ppt/slides/slide${number}.xml`),
  };
}

/** The texts of all paragraphs, in their order; empty ones are left out. */
export function paragraphsOf(found: Found): string[] {
  return found
    .all('a:p')
    .map((one) =>
      one
        .all('a:t')
        .map(({ text }) => text)
        .join(''),
    )
    .filter((text) => text !== '');
}
