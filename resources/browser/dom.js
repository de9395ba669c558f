// The DOM's own properties. A form with a field called `childNodes`, or a document with a picture called `body`, hides
// the real ones, so they are taken from the prototypes before anything is read.

/** @param {object} prototype @param {string} name @returns {(target: any) => any} */
const getter = (prototype, name) => {
  const get = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  if (get === undefined) throw new Error(`There is no property ${name}`);
  return (target) => get.call(target);
};
/** @param {any} prototype @param {string} name @returns {(target: any, ...given: any[]) => any} */
const method = (prototype, name) => {
  const call = prototype[name];
  return (target, ...given) => call.apply(target, given);
};

const childNodesOf = getter(Node.prototype, 'childNodes');
const nodeTypeOf = getter(Node.prototype, 'nodeType');
const nodeValueOf = getter(Node.prototype, 'nodeValue');
const textContentOf = getter(Node.prototype, 'textContent');
const parentOf = getter(Node.prototype, 'parentElement');
const isConnectedOf = getter(Node.prototype, 'isConnected');
const ownerDocumentOf = getter(Node.prototype, 'ownerDocument');
const baseOf = getter(Node.prototype, 'baseURI');
const contains = method(Node.prototype, 'contains');
const rootOf = method(Node.prototype, 'getRootNode');
const localNameOf = getter(Element.prototype, 'localName');
const shadowOf = getter(Element.prototype, 'shadowRoot');
const slotOf = getter(Element.prototype, 'assignedSlot');
const labelledOf = getter(HTMLLabelElement.prototype, 'control');
const rectOf = method(Element.prototype, 'getBoundingClientRect');
const attribute = method(Element.prototype, 'getAttribute');
const hasAttribute = method(Element.prototype, 'hasAttribute');
const matches = method(Element.prototype, 'matches');
const closest = method(Element.prototype, 'closest');
const queryIn = method(Element.prototype, 'querySelector');
const queryAllIn = method(Element.prototype, 'querySelectorAll');
const isVisible = method(Element.prototype, 'checkVisibility');
const editableOf = getter(HTMLElement.prototype, 'isContentEditable');
const page = {
  root: () => getter(Document.prototype, 'documentElement')(document),
  body: () => getter(Document.prototype, 'body')(document),
  title: () => getter(Document.prototype, 'title')(document),
  active: () => getter(Document.prototype, 'activeElement')(document),
  scroller: () => getter(Document.prototype, 'scrollingElement')(document),
  state: () => getter(Document.prototype, 'readyState')(document),
  queryAll: method(Document.prototype, 'querySelectorAll'),
  fromPoint: method(Document.prototype, 'elementFromPoint'),
  create: method(Document.prototype, 'createElement'),
  range: method(Document.prototype, 'createRange'),
};
