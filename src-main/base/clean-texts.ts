/**
 * A value of JSON with each of its texts as `clean` gives it, and the names of its fields; the value itself
 * where nothing changes. Left as they are: words by which a part is told from others (`type: 'tool_call'`).
 * A number that `clean` would change as a text becomes what it gives. Objects that
 * are not plain ones are left as they are. Deep values are walked without recursion: they may come from
 * anywhere.
 */
export function withCleanTexts<Value>(value: Value, clean: (text: string) => string): Value {
  const scalar = (inner: unknown): unknown => {
    if (typeof inner === 'string') return clean(inner);
    if (typeof inner !== 'number') return inner;
    const text = String(inner);
    const cleaned = clean(text);
    return cleaned === text ? inner : cleaned;
  };
  if (!changesIn(value, { clean, scalar })) return value;
  const copies = new Map<object, object>();
  const pending: object[] = [];
  const copyOf = (inner: unknown): unknown => {
    if (!isCompound(inner)) return scalar(inner);
    const known = copies.get(inner);
    if (known !== undefined) return known;
    const copy = Array.isArray(inner) ? [] : {};
    copies.set(inner, copy);
    pending.push(inner);
    return copy;
  };
  const copy = copyOf(value);
  for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
    const target = copies.get(one);
    for (const [name, inner] of Object.entries(one)) {
      // As a field of its own, also where its name is `__proto__`.
      const kept = isKind(name, inner) ? inner : copyOf(inner);
      Object.defineProperty(target, Array.isArray(one) ? name : clean(name), {
        ...{ value: kept, enumerable: true, configurable: true, writable: true },
      });
    }
  }
  return copy as Value;
}

function changesIn(
  value: unknown,
  { clean, scalar }: { clean: (text: string) => string; scalar: (value: unknown) => unknown },
): boolean {
  const seen = new Set<object>();
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const one = pending.pop();
    if (!isCompound(one)) {
      if (scalar(one) !== one) return true;
      continue;
    }
    if (seen.has(one)) continue;
    seen.add(one);
    for (const [name, inner] of Object.entries(one)) {
      if (!Array.isArray(one) && clean(name) !== name) return true;
      if (!isKind(name, inner)) pending.push(inner);
    }
  }
  return false;
}

/** A key of so few small letters and nothing else is no key that a server gives. */
const KIND = /^[a-z]+(?:[_-][a-z]+)*$/;
const KIND_FIELDS: ReadonlySet<string> = new Set(['type', 'role', 'kind', 'status']);
const LONGEST_KIND = 24;

function isKind(name: string, value: unknown): boolean {
  if (typeof value !== 'string' || value.length > LONGEST_KIND) return false;
  return KIND_FIELDS.has(name) && KIND.test(value);
}

function isCompound(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
