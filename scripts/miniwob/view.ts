/** One line of a view, as a model would understand it. */
export interface ViewLine {
  /** Leading spaces. */
  readonly indent: number;
  /** What actions name it by; null for text that none can be done to. */
  readonly ref: string | null;
  /** `text` and `heading` for lines without a role. */
  readonly role: string;
  /** Its name, or the text itself. */
  readonly name: string;
  readonly value: string | null;
  readonly states: readonly string[];
  readonly options: readonly string[];
  readonly raw: string;
}

/** A role is a word before a name, a value or nothing; states stand only after roles that need no name. */
const ROLE =
  /^[a-z]+(?: \([a-z-]+\))?(?=$| "| =| (?:checked|selected|disabled|expanded|collapsed|focused|read-only)\b)/;

const ELEMENT = /^\[((?:f\d+)?e\d+)\]\s*(.*)$/;
const QUOTED = /^"((?:[^"\\]|\\.)*)"/;

/** The lines of a view. A line that reads as no element is text. */
export function parseView(view: string): ViewLine[] {
  return view
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(parseLine);
}

function parseLine(raw: string): ViewLine {
  // A line of what changed starts with its sign.
  const line = raw.replace(/^[+-] ?(?=\s*\[)/, '');
  const trimmed = line.trim();
  const indent = line.length - line.trimStart().length;
  const plain = { indent, ref: null, value: null, states: [], options: [], raw };
  const heading = /^#{1,6} (.*)$/.exec(trimmed);
  if (heading !== null) return { ...plain, role: 'heading', name: heading[1] ?? '' };
  const element = ELEMENT.exec(trimmed.replace(/^frame (?=\[)/, ''));
  // A text that could be read as something else has a word before it.
  if (element === null) return { ...plain, role: 'text', name: trimmed.replace(/^text: /, '') };
  const [, ref = '', rest = ''] = element;
  return { ...plain, ref, ...parseElement(rest) };
}

type ElementParts = Pick<ViewLine, 'role' | 'name' | 'value' | 'states' | 'options'>;

function parseElement(text: string): ElementParts {
  const heading = /^#+ (.*)$/.exec(text)?.[1];
  if (heading !== undefined) return { role: 'heading', name: heading, ...NOTHING };
  // A line may have a ref and no role: it is the text behind the ref.
  const role = ROLE.exec(text)?.[0];
  if (role === undefined) return { role: 'text', name: unquote(text), ...NOTHING };
  let rest = text.slice(role.length).trimStart();
  let name = '';
  const first = QUOTED.exec(rest);
  if (first !== null) {
    name = unescaped(first[1] ?? '');
    rest = rest.slice(first[0].length).trimStart();
  }
  // The kind of a field stands in brackets after its role.
  return { role: role.split(' ', 1)[0] ?? '', name, ...parseStates(rest) };
}

const NOTHING = { value: null, states: [], options: [] } as const;

function parseStates(text: string): Pick<ViewLine, 'value' | 'states' | 'options'> {
  let rest = text;
  let value: string | null = null;
  const states: string[] = [];
  const options: string[] = [];
  let isListing = false;
  while (rest !== '') {
    const quoted = QUOTED.exec(rest);
    const assigned = /^=\s*(?="|\S)/.exec(rest);
    if (quoted !== null) {
      if (isListing) options.push(unescaped(quoted[1] ?? ''));
      else states.push(unescaped(quoted[1] ?? ''));
      rest = rest.slice(quoted[0].length);
    } else if (assigned !== null) {
      rest = rest.slice(assigned[0].length);
      const after = QUOTED.exec(rest);
      const bare = after === null ? (/^\S+/.exec(rest)?.[0] ?? '') : after[0];
      value = after === null ? bare : unescaped(after[1] ?? '');
      rest = rest.slice(bare.length);
    } else {
      const bare = /^[^\s"]+/.exec(rest)?.[0] ?? rest;
      if (bare === 'options:') isListing = true;
      else if (bare !== ',' && bare !== '…') states.push(bare.replace(/[,:]$/, ''));
      rest = rest.slice(bare.length);
    }
    rest = rest.replace(/^[\s,]+/, '');
  }
  return { value, states: states.filter((state) => state !== ''), options };
}

function unquote(text: string): string {
  const quoted = QUOTED.exec(text);
  return quoted === null ? text : unescaped(quoted[1] ?? '');
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char));
}
