/** An argument whose value a client also sends as a header of its request (SEP-2243). */
const KEY = 'x-mcp-header';
/** RFC 9110, 5.1. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);

/**
 * Whether the header annotations of a schema are as the protocol allows: names of headers, each once, on plain values
 * that are reached by properties alone. A tool with others must not be offered.
 */
export function hasValidHeaders(schema: unknown): boolean {
  const names = new Set<string>();
  const pending: {
    readonly value: unknown;
    readonly isProperty: boolean;
    readonly reaches: boolean;
  }[] = [{ value: schema, isProperty: false, reaches: true }];
  for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
    const { value, isProperty, reaches } = one;
    if (typeof value !== 'object' || value === null) continue;
    if (Object.hasOwn(value, KEY)) {
      const { [KEY]: name, type } = value as Readonly<Record<string, unknown>>;
      const isName = typeof name === 'string' && TOKEN.test(name);
      if (!isName || !isProperty || !TYPES.has(type) || names.has(name.toLowerCase())) return false;
      names.add(name.toLowerCase());
    }
    for (const [key, child] of Object.entries(value)) {
      if (key === 'properties' && typeof child === 'object' && child !== null) {
        const properties = Object.values(child as object);
        pending.push(...properties.map((each) => ({ value: each, isProperty: reaches, reaches })));
      } else if (!VALUES.has(key))
        pending.push({ value: child, isProperty: false, reaches: false });
    }
  }
  return true;
}

/** What holds values, not schemas. */
const VALUES: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples', KEY]);
