import type { XmlElement } from '../../documents/office/read-xml.ts';
import { XML_HEAD } from './pptx-workbook.ts';
import { xmlText } from './xml-text.ts';

const NAMESPACES = [
  ['a', 'http://schemas.openxmlformats.org/drawingml/2006/main'],
  ['r', 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'],
  ['p', 'http://schemas.openxmlformats.org/presentationml/2006/main'],
]
  .map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`)
  .join('');

/** A part of elements of DrawingML and PresentationML. */
export function writeXml(root: XmlElement): string {
  return `${XML_HEAD}${element(root, NAMESPACES)}`;
}

function element({ name, attributes, children, text }: XmlElement, more = ''): string {
  const own = [...attributes].map(([key, value]) => ` ${key}="${xmlText(value)}"`).join('');
  const inner = `${xmlText(text)}${children.map((child) => element(child)).join('')}`;
  const open = `${name}${more}${own}`;
  return inner === '' ? `<${open}/>` : `<${open}>${inner}</${name}>`;
}
