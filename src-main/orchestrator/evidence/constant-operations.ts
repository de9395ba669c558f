/** What the operators, functions and methods that languages share make of constants; null where that is not known. */

/** A value that a source states. */
export type Constant = number | string | readonly Constant[];

export function formatted(value: Constant, format: string): string {
  const decimals = /\.(\d+)([f%])$/.exec(format);
  if (decimals === null || typeof value !== 'number') return String(value);
  const places = Math.min(20, Number(decimals[1]));
  return decimals[2] === '%' ? `${(value * 100).toFixed(places)}%` : value.toFixed(places);
}

export function combine(sign: string, left: Constant, right: Constant): Constant | null {
  if (typeof left === 'number' && typeof right === 'number') return arithmetic(sign, left, right);
  if (sign === '+') {
    if (Array.isArray(left) && Array.isArray(right)) return [...left, ...right];
    return Array.isArray(left) || Array.isArray(right) ? null : `${left}${right}`;
  }
  if (sign === '*' && typeof right === 'number') return repeated(left, right);
  if (sign === '*' && typeof left === 'number') return repeated(right, left);
  if (sign !== '%' || typeof left !== 'string') return null;
  const given = Array.isArray(right) ? [...right] : [right];
  return left.replace(/%[-+ 0#]*\d*(?:\.\d+)?[dsfiu]/g, () => String(given.shift() ?? ''));
}

function arithmetic(sign: string, left: number, right: number): number | null {
  switch (sign) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
    case '//':
      return Math.floor(left / right);
    case '%':
      return left % right;
    case '<<':
      return left * 2 ** right;
    case '>>':
      return Math.floor(left / 2 ** right);
    case '|':
      return left | right;
    case '&':
      return left & right;
    case '^':
      return left ^ right;
    default:
      return null;
  }
}

const MAX_REPEATS = 10_000;

function repeated(value: Constant, times: number): Constant | null {
  if (typeof value === 'number' || times > MAX_REPEATS) return null;
  const count = Math.max(0, Math.floor(times));
  if (typeof value === 'string') return value.repeat(count).slice(0, MAX_REPEATS);
  return Array.from({ length: count }, () => value).flat();
}

export function reversed(value: Constant): Constant | null {
  if (typeof value === 'string') return [...value].reverse().join('');
  return Array.isArray(value) ? value.toReversed() : null;
}

const numbers = (given: readonly Constant[]): number[] =>
  given.flat(2).flatMap((one) => (typeof one === 'number' ? [one] : []));

export function called(name: string, given: readonly Constant[]): Constant | null {
  const [first, second] = given;
  if (first === undefined) return null;
  const all = numbers(given);
  switch (name.replace(/^(?:Math|builtins|math|np|numpy|Number|String|statistics)\./, '')) {
    case 'chr':
    case 'fromCharCode':
    case 'fromCodePoint':
      return all
        .map((code) => (code >= 0 && code < 0x110000 ? String.fromCodePoint(code) : ''))
        .join('');
    case 'ord':
      return typeof first === 'string' ? (first.codePointAt(0) ?? 0) : null;
    case 'bytes':
    case 'bytearray':
      return String.fromCharCode(...all.slice(0, 1_000));
    case 'int':
    case 'parseInt':
      return Math.trunc(
        typeof second === 'number' ? Number.parseInt(String(first), second) : Number(first),
      );
    case 'float':
    case 'Number':
    case 'parseFloat':
    case 'Decimal':
    case 'BigInt':
      return Number(first);
    case 'str':
    case 'String':
    case 'repr':
      return String(first);
    case 'len':
      return typeof first === 'number' ? null : first.length;
    case 'sum':
      return all.reduce((total, one) => total + one, 0);
    case 'prod':
      return all.reduce((total, one) => total * one, 1);
    case 'mean':
    case 'average':
      return all.length === 0 ? null : all.reduce((total, one) => total + one, 0) / all.length;
    case 'max':
      return all.length === 0 ? null : Math.max(...all);
    case 'min':
      return all.length === 0 ? null : Math.min(...all);
    case 'abs':
      return typeof first === 'number' ? Math.abs(first) : null;
    case 'pow':
      return typeof first === 'number' && typeof second === 'number' ? first ** second : null;
    case 'round':
      return typeof first !== 'number'
        ? null
        : Number(first.toFixed(Math.min(20, Number(second ?? 0))));
    case 'floor':
    case 'ceil':
      return typeof first === 'number' ? Math.round(first) : null;
    case 'list':
    case 'tuple':
    case 'sorted':
    case 'Array.from':
      return typeof first === 'string' ? [...first] : first;
    case 'reversed':
      return reversed(first);
    case 'atob':
    case 'base64.b64decode':
    case 'b64decode':
      return Buffer.from(String(first), 'base64').toString('latin1');
    case 'bytes.fromhex':
    case 'bytearray.fromhex':
      return Buffer.from(String(first), 'hex').toString('latin1');
    case 'Buffer.from':
      return Buffer.from(String(first), second === 'hex' ? 'hex' : 'base64').toString('latin1');
    default:
      return null;
  }
}

export function method(value: Constant, name: string, given: readonly Constant[]): Constant | null {
  const [first, second] = given;
  switch (name) {
    case 'join':
      // Python joins a list by a string, JavaScript a string by a list.
      if (typeof value === 'string' && first !== undefined && typeof first !== 'number') {
        return [...first].map(String).join(value);
      }
      return Array.isArray(value) ? value.map(String).join(String(first ?? ',')) : null;
    case 'format': {
      const rest = [...given];
      return typeof value !== 'string'
        ? null
        : value.replace(/\{[^{}]*\}/g, () => String(rest.shift() ?? ''));
    }
    case 'replace':
    case 'replaceAll':
      return typeof value === 'string' && first !== undefined
        ? value.replaceAll(String(first), String(second ?? ''))
        : null;
    case 'split':
      return typeof value === 'string' ? value.split(String(first ?? ' ')) : null;
    case 'reverse':
      return reversed(value);
    case 'concat':
      return typeof value === 'string' ? value + given.map(String).join('') : null;
    case 'repeat':
      return typeof value === 'string' ? repeated(value, Number(first)) : null;
    case 'toFixed':
      return typeof value === 'number' ? value.toFixed(Math.min(20, Number(first ?? 0))) : null;
    case 'toString':
    case 'decode':
    case 'encode':
    case 'strip':
    case 'trim':
      return Array.isArray(value) ? null : String(value);
    default:
      return null;
  }
}
