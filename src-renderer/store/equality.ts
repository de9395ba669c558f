/** True for arrays or plain objects whose members are the same one by one. */
export function shallowEqual(a: unknown, b: unknown): boolean {
  return equalTo(a, b, Object.is);
}

/** `shallowEqual`, for arrays whose objects are rebuilt each time. */
export function equalMembers(a: unknown, b: unknown): boolean {
  return equalTo(a, b, shallowEqual);
}

function equalTo(a: unknown, b: unknown, isEqual: (a: unknown, b: unknown) => boolean): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = a as Readonly<Record<string, unknown>>;
  const right = b as Readonly<Record<string, unknown>>;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isEqual(left[key], right[key]))
  );
}
