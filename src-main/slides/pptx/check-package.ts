import type { Link } from '../../documents/office/office-package.ts';
import { readXml, walk, type XmlElement, XmlError } from '../../documents/office/read-xml.ts';
import { unzipParts } from '../../documents/office/zip-parts.ts';
import { checkPackageSlides, type Package } from './package-slides.ts';
import { PART_TYPES } from './pptx-parts.ts';

const TYPES_PART = '[Content_Types].xml';
const REQUIRED = [TYPES_PART, '_rels/.rels', 'ppt/presentation.xml'];
const RELS = /^(.*?)_rels\/([^/]*)\.rels$/;
const RELATIONSHIPS = 'application/vnd.openxmlformats-package.relationships+xml';
/** Relationships that count only when the XML of their part refers to them. */
const REFERRED = new Set(['image', 'chart', 'hyperlink', 'package']);

/**
 * What would make PowerPoint offer a repair, or open something outside: each a sentence with the part and the problem. None
 * for a sound presentation.
 */
export async function checkPackage(bytes: Uint8Array): Promise<string[]> {
  const names = entryNames(bytes);
  let parts: Map<string, Uint8Array>;
  try {
    parts = await unzipParts(bytes);
  } catch {
    // Any failure to unpack is this one problem.
    return ['The file is not a zip archive that can be read.'];
  }
  const problems = [...checkNames(names), ...checkRequired(parts)];
  const { roots, problems: broken } = readRoots(parts);
  const { links, problems: lost } = readLinks(parts, roots);
  const whole: Package = { parts, roots, links };
  problems.push(...broken, ...lost, ...checkTypes(whole), ...checkReferences(whole));
  return [...problems, ...(await checkPackageSlides(whole))];
}

/** The names of all entries, in the central directory: unpacking would hide a second one of the same name. */
function entryNames(bytes: Uint8Array): string[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = buffer.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  if (end < 0 || end + 22 > buffer.length) return [];
  const names: string[] = [];
  let at = buffer.readUInt32LE(end + 16);
  while (at + 46 <= end && buffer.readUInt32LE(at) === 0x0201_4b50) {
    const length = buffer.readUInt16LE(at + 28);
    names.push(buffer.toString('utf8', at + 46, at + 46 + length));
    at += 46 + length + buffer.readUInt16LE(at + 30) + buffer.readUInt16LE(at + 32);
  }
  return names;
}

function checkNames(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.flatMap((name) => {
    const problems: string[] = [];
    // Names of parts differ by more than the case of their letters.
    if (seen.has(name.toLowerCase())) problems.push(`${name} is in the file twice.`);
    seen.add(name.toLowerCase());
    if (name.endsWith('/')) problems.push(`${name} is an entry for a folder.`);
    else if (name !== TYPES_PART && !/^[\w.-]+(?:\/[\w.-]+)*$/.test(name)) {
      problems.push(`${name} is not a name that a part may have.`);
    }
    if (/vbaProject|activeX/i.test(name)) problems.push(`${name} holds a program.`);
    return problems;
  });
}

function checkRequired(parts: Package['parts']): string[] {
  return REQUIRED.filter((name) => !parts.has(name)).map((name) => `${name} is missing.`);
}

function readRoots(parts: Package['parts']): {
  roots: Map<string, XmlElement>;
  problems: string[];
} {
  const roots = new Map<string, XmlElement>();
  const problems: string[] = [];
  for (const [name, bytes] of parts) {
    if (!/\.(?:xml|rels)$/.test(name)) continue;
    try {
      roots.set(name, readXml(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
    } catch (error) {
      const reason = error instanceof XmlError ? error.message : 'bytes that are not UTF-8';
      problems.push(`${name} is not well-formed XML: ${reason}.`);
    }
  }
  return { roots, problems };
}

function readLinks(
  parts: Package['parts'],
  roots: Package['roots'],
): { links: Map<string, Link[]>; problems: string[] } {
  const links = new Map<string, Link[]>();
  const problems: string[] = [];
  for (const [name, root] of roots) {
    const [, folder, file] = RELS.exec(name) ?? [];
    if (folder === undefined || file === undefined) continue;
    const owner = `${folder}${file}`;
    if (owner !== '' && !parts.has(owner)) problems.push(`${name} belongs to no part.`);
    const list: Link[] = [];
    for (const { attributes } of root.children) {
      const id = attributes.get('Id') ?? '';
      const to = attributes.get('Target') ?? '';
      if (attributes.get('TargetMode') === 'External' || /^[a-z][a-z\d+.-]*:|^\/\//i.test(to)) {
        problems.push(`${name} refers to something outside: ${to}.`);
        continue;
      }
      const target = new URL(to, `part:/${owner}`).pathname.slice(1);
      if (!parts.has(target)) problems.push(`${name} refers to ${target}, which is not there.`);
      if (list.some((link) => link.id === id)) problems.push(`${name} has ${id} twice.`);
      list.push({ id, target, type: (attributes.get('Type') ?? '').split('/').at(-1) ?? '' });
    }
    links.set(owner, list);
  }
  return { links, problems };
}

function checkTypes({ parts, roots }: Package): string[] {
  const root = roots.get(TYPES_PART);
  if (root === undefined) return [];
  const problems: string[] = [];
  const defaults = new Map<string, string>();
  const overrides = new Map<string, string>();
  for (const { name, attributes } of root.children) {
    const type = attributes.get('ContentType') ?? '';
    const isOverride = name === 'Override';
    const key = isOverride
      ? (attributes.get('PartName') ?? '').replace(/^\//, '')
      : (attributes.get('Extension') ?? '').toLowerCase();
    const list = isOverride ? overrides : defaults;
    if (list.has(key)) problems.push(`${TYPES_PART} has a content type for ${key} twice.`);
    list.set(key, type);
    if (isOverride && !parts.has(key)) {
      problems.push(`${TYPES_PART} has a content type for ${key}, which is not there.`);
    }
  }
  for (const part of parts.keys()) {
    if (part === TYPES_PART) continue;
    const type = overrides.get(part) ?? defaults.get(part.split('.').at(-1)?.toLowerCase() ?? '');
    const wanted = wantedType(part);
    if (type === undefined) problems.push(`${part} has no content type.`);
    else if (wanted !== undefined && type !== wanted) {
      problems.push(`${part} has the content type ${type}, not ${wanted}.`);
    }
  }
  return problems;
}

function wantedType(part: string): string | undefined {
  if (part.endsWith('.rels')) return RELATIONSHIPS;
  if (/\.jpe?g$/.test(part)) return 'image/jpeg';
  return Object.entries(PART_TYPES).find(([start]) => part.startsWith(start))?.[1];
}

/** Ids of relationships in the XML of a part, and what is not referred to. */
function checkReferences({ roots, links }: Package): string[] {
  const problems: string[] = [];
  for (const [part, root] of roots) {
    if (part.endsWith('.rels') || part === TYPES_PART) continue;
    const own = links.get(part) ?? [];
    const used = new Set(referencesIn(root));
    for (const id of used) {
      if (!own.some((link) => link.id === id)) problems.push(`${part} has no relationship ${id}.`);
    }
    for (const { id, type, target } of own) {
      if (REFERRED.has(type) && !used.has(id)) {
        problems.push(`${part} has a relationship ${id} to ${target} that it does not use.`);
      }
    }
  }
  return problems;
}

function referencesIn(root: XmlElement): string[] {
  return [...walk(root)].flatMap(({ attributes }) =>
    [...attributes].flatMap(([name, value]) =>
      /^r:(?:id|embed|link|pict)$/.test(name) ? [value] : [],
    ),
  );
}
