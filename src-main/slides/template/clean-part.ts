import type { XmlElement } from '../../documents/office/read-xml.ts';

/** Elements that lead outside, run something, or refer to parts that are not taken over. */
const DROPPED = new Set([
  ...['p:extLst', 'a:extLst', 'a:hlinkClick', 'a:hlinkHover', 'a:hlinkMouseOver', 'a:snd'],
  ...['p:custDataLst', 'p:controls', 'p:timing', 'p:transition', 'p:contentPart', 'a:audioCd'],
  ...['a:audioFile', 'a:videoFile', 'a:wavAudioFile', 'a:quickTimeFile', 'a:stCxn', 'a:endCxn'],
]);
/** What roots may have. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  'p:sldMaster': ['p:cSld', 'p:clrMap', 'p:hf', 'p:txStyles'],
  'p:sldLayout': ['p:cSld', 'p:clrMapOvr', 'p:hf'],
  'a:theme': ['a:themeElements'],
};
const TABLE = 'http://schemas.openxmlformats.org/drawingml/2006/table';
const MOST_DEPTH = 100;

const element = (
  name: string,
  children: readonly XmlElement[] = [],
  value?: string,
): XmlElement => ({
  ...{ name, children, text: '' },
  attributes: new Map(value === undefined ? [] : [['val', value]]),
});
const NO_FILL = element('a:noFill');
/** In place of a picture that is not there: themes count their fills. */
const PLAIN_FILL = element('a:solidFill', [element('a:schemeClr', [], 'phClr')]);

/**
 * A part with nothing but elements and attributes of DrawingML and PresentationML, none of which leads anywhere:
 * what is not known is not there. `embed` names the picture of a relationship; null drops it.
 */
export function cleanPart(root: XmlElement, embed: (id: string) => string | null): XmlElement {
  const allowed = PARTS[root.name] ?? [];
  const clean = (given: XmlElement, depth: number): XmlElement[] => {
    const { name, attributes, children, text } = given;
    if (depth > MOST_DEPTH || DROPPED.has(name)) return [];
    if (name === 'mc:AlternateContent') {
      const other = children.find((child) => child.name === 'mc:Fallback');
      return (other?.children ?? []).flatMap((child) => clean(child, depth + 1));
    }
    if (!/^[ap]:/.test(name)) return [];
    if (name === 'p:graphicFrame' && !isTable(given)) return [];
    const own = new Map<string, string>();
    for (const [key, value] of attributes) {
      if (!key.includes(':')) own.set(key, value);
    }
    if (name === 'a:blip') {
      const picture = embed(attributes.get('r:embed') ?? '');
      if (picture === null) return [];
      own.set('r:embed', picture);
    }
    const kept = children.flatMap((child) => clean(child, depth + 1));
    const isEmptied = (one: string): boolean =>
      name === one && !kept.some((child) => child.name === 'a:blip');
    if (isEmptied('a:blipFill')) return [root.name === 'a:theme' ? PLAIN_FILL : NO_FILL];
    if (name === 'p:pic' && !kept.some(hasPicture)) return [];
    return [{ name, attributes: own, children: kept, text: name === 'a:t' ? text : '' }];
  };
  const children = root.children.flatMap((child) =>
    allowed.includes(child.name) ? clean(child, 1) : [],
  );
  const attributes = new Map([...root.attributes].filter(([key]) => !key.includes(':')));
  attributes.delete('xmlns');
  return { name: root.name, attributes, children, text: '' };
}

function hasPicture({ name, children }: XmlElement): boolean {
  return name === 'p:blipFill' && children.some((child) => child.name === 'a:blip');
}

function isTable({ children }: XmlElement): boolean {
  return children.some(
    ({ name, children: inner }) =>
      name === 'a:graphic' && inner.some(({ attributes }) => attributes.get('uri') === TABLE),
  );
}
