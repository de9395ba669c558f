/**
 * A JSON value with `clean` applied to all its strings and field names; the same value where nothing changes.
 * A number whose text `clean` changes becomes that text. Discriminators (`type: 'tool_call'`) and objects that
 * are not plain stay as they are. Not recursive: the value may come from outside and be nested deeply.
 */
export function withCleanTexts<Value>(value: Value, clean: (text: string) => string): Value {
  const scalar = (inner: unknown): unknown => {
    if (typeof inner === 'string') return clean(inner);
    if (typeof inner !== 'number') return inner;
    const text = String(inner);
    const cleaned = clean(text);
    return cleaned === text ? inner : cleaned;
  };
  if (!hasChanges(value, { clean, scalar })) return value;
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
      // Defined, not assigned: a field named `__proto__` stays a field.
      const cleaned = isDiscriminator(name, inner) ? inner : copyOf(inner);
      Object.defineProperty(target, Array.isArray(one) ? name : clean(name), {
        value: cleaned,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
  }
  return copy as Value;
}

function hasChanges(
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
      if (!isDiscriminator(name, inner)) pending.push(inner);
    }
  }
  return false;
}

/** No service issues a key that is this short and all lower-case letters. */
const DISCRIMINATOR = /^[a-z]+(?:[_-][a-z]+)*$/;
const DISCRIMINATOR_FIELDS: ReadonlySet<string> = new Set(['type', 'role', 'kind', 'status']);
const MAX_DISCRIMINATOR = 24;

function isDiscriminator(name: string, value: unknown): boolean {
  if (typeof value !== 'string' || value.length > MAX_DISCRIMINATOR) return false;
  return DISCRIMINATOR_FIELDS.has(name) && DISCRIMINATOR.test(value);
}

function isCompound(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
