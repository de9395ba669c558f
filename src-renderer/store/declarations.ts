/** A member of a type, or a global. */
export interface Declared {
  readonly name: string;
  /** As it is declared, on one line. */
  readonly signature: string;
  /** Its doc comment, without the marks. */
  readonly doc: string;
  readonly isFunction: boolean;
  /** Name of its type in `Declarations.types`, where it has members of its own. */
  readonly type: string | null;
}

/** The content of TypeScript declarations, as far as completions need it. */
export interface Declarations {
  readonly types: ReadonlyMap<string, readonly Declared[]>;
  /** Types of globals and of parameters, by name. */
  readonly values: ReadonlyMap<string, string>;
  readonly globals: readonly Declared[];
}

/**
 * Reads declarations well enough to complete `app.llm.…`: interfaces, object types, constants and
 * functions, those within modules too. It skips what it does not understand.
 */
export function readDeclarations(text: string): Declarations {
  const types = new Map<string, readonly Declared[]>();
  const globals: Declared[] = [];
  readStatements(text, { types, globals });
  const values = new Map<string, string>();
  for (const { name, type } of globals) if (type !== null) values.set(name, type);
  for (const [, name, type] of text.matchAll(/\b([a-z_$][\w$]*)\??\s*:\s*([A-Z][\w$]*)/g)) {
    if (name !== undefined && type !== undefined && types.has(type) && !values.has(name)) {
      values.set(name, type);
    }
  }
  return { types, values, globals };
}

interface Found {
  readonly types: Map<string, readonly Declared[]>;
  readonly globals: Declared[];
}

function readStatements(text: string, found: Found): void {
  for (const { code, doc } of splitMembers(text)) {
    const plain = code.replace(/^(?:export\s+|declare\s+|default\s+)+/, '');
    const inner = bodyOf(plain);
    const holder = /^(?:module|namespace|global)\b/.test(plain);
    const named = /^(?:interface|class|type)\s+([A-Za-z_$][\w$]*)/.exec(plain)?.[1];
    if (holder && inner !== null) readStatements(inner, found);
    else if (named !== undefined && inner !== null) {
      found.types.set(named, readMembers(inner, named, found));
    } else {
      const value = /^(?:const|let|var|function)\s+(.*)$/s.exec(plain)?.[1];
      const member = value === undefined ? null : readMember(value, doc, { owner: '', found });
      if (member !== null) found.globals.push(member);
    }
  }
}

function readMembers(body: string, owner: string, found: Found): readonly Declared[] {
  return splitMembers(body).flatMap(({ code, doc }) => {
    const member = readMember(code, doc, { owner, found });
    return member === null ? [] : [member];
  });
}

function readMember(
  code: string,
  doc: string,
  { owner, found }: { readonly owner: string; readonly found: Found },
): Declared | null {
  const [, name, rest] =
    /^(?:(?:readonly|async|static)\s+)*([A-Za-z_$][\w$]*)\??\s*(.*)$/s.exec(code) ?? [];
  if (name === undefined || rest === undefined || !/^[(:<]/.test(rest)) return null;
  const isFunction = !rest.startsWith(':') || /^:\s*(?:<[^>]*>)?\(.*\)\s*=>/s.test(rest);
  const value = rest.replace(/^:\s*(?:readonly\s+)?/, '');
  let type: string | null = /^([A-Z][\w$]*)/.exec(value)?.[1] ?? null;
  const isObject = !isFunction && value.startsWith('{');
  if (isObject) {
    type = `${owner}.${name}`;
    found.types.set(type, readMembers(bodyOf(value) ?? '', type, found));
  }
  const signature = isObject ? `${name}: { … }` : oneLine(code);
  return { name, signature, doc, isFunction, type: isFunction ? null : type };
}

function oneLine(code: string): string {
  const plain = code.replace(/\/\*.*?\*\//gs, '').replace(/^readonly\s+/, '');
  return plain.replace(/\s+/g, ' ').trim();
}

/** The text between the first brace and its closing one. */
function bodyOf(code: string): string | null {
  const start = code.indexOf('{');
  const end = code.lastIndexOf('}');
  return start === -1 || end < start ? null : code.slice(start + 1, end);
}

interface Member {
  readonly code: string;
  readonly doc: string;
}

/** Statements or members of a text, each with the comment before it. */
function splitMembers(text: string): readonly Member[] {
  const members: Member[] = [];
  let [depth, from, doc] = [0, 0, ''];
  const end = (at: number): void => {
    const code = text.slice(from, at).trim();
    if (code !== '') {
      members.push({ code, doc });
      doc = '';
    }
    from = at + 1;
  };
  for (let i = 0; i < text.length; i += 1) {
    const comment = depth === 0 ? commentAt(text, i) : null;
    if (comment !== null) {
      end(i);
      doc = comment.doc;
      i = comment.end - 1;
      from = comment.end;
      continue;
    }
    const skipped = skip(text, i);
    if (skipped > i) {
      i = skipped - 1;
      continue;
    }
    const character = text[i] ?? '';
    if ('({['.includes(character)) depth += 1;
    if (')}]'.includes(character)) depth -= 1;
    const closes =
      character === '}' && depth === 0 && /^\s*(?:\n|$)/.test(text.slice(i + 1, i + 40));
    if (depth === 0 && (character === ';' || closes)) end(closes ? i + 1 : i);
  }
  end(text.length);
  return members;
}

function commentAt(
  text: string,
  at: number,
): { readonly doc: string; readonly end: number } | null {
  if (text.startsWith('/*', at)) {
    const close = text.indexOf('*/', at + 2);
    const end = close === -1 ? text.length : close + 2;
    const lines = text
      .slice(at, end)
      .replace(/^\/\*+|\*+\/$/g, '')
      .split('\n');
    const doc = lines.map((line) => line.replace(/^\s*\*? ?/, '').trim()).filter(Boolean);
    return { doc: doc.join(' '), end };
  }
  if (!text.startsWith('//', at)) return null;
  const close = text.indexOf('\n', at);
  const end = close === -1 ? text.length : close;
  return { doc: text.slice(at + 2, end).trim(), end };
}

/** The position after a comment or a string, in which braces do not count. */
function skip(text: string, at: number): number {
  if (text.startsWith('/*', at) || text.startsWith('//', at)) return commentAt(text, at)?.end ?? at;
  const mark = text[at];
  if (mark !== "'" && mark !== '"' && mark !== '`') return at;
  const close = text.indexOf(mark, at + 1);
  return close === -1 ? text.length : close + 1;
}

/** The members that a path before a dot leads to, such as `app.llm`. Empty if unknown. */
export function membersOf(
  { types, values }: Declarations,
  path: readonly string[],
): readonly Declared[] {
  const [root, ...rest] = path;
  if (root === undefined) return [];
  let type = values.get(root) ?? null;
  for (const name of rest) {
    const member = type === null ? undefined : types.get(type)?.find((one) => one.name === name);
    type = member?.type ?? null;
  }
  return type === null ? [] : (types.get(type) ?? []);
}
