import { basename } from 'node:path';
import { dataPaths } from '../storage/data-paths.ts';

/** Folders as `withoutPlaces` finds them in the text: with `~` and `[app]` already in it. */
export interface ShownFolders {
  /** The data folder; null where it is a home folder, or one that contains one. */
  readonly data: string | null;
}

/**
 * Where an address or a path may start: `scheme://`, `file:/`, `[app]`, `~/`, `C:\`, `\\server\share`, `../`, a `/`
 * that does not belong to a word, and any `/home/` and the like. Each run of separators has one start, so that the
 * search is linear.
 */
const START =
  /(?<scheme>(?<![\p{L}\p{N}+.-])(?!file:)[a-z][a-z0-9+.-]{1,30}:[\\/]{2,})|file:[\\/]+|\[app\](?=[\\/])|(?<![\p{L}\p{N}~])~[\w.-]{0,40}(?=[\\/])(?![\\/]+…)|(?:\$\{?home\}?|%\w{1,30}%)(?=[\\/])|(?<![\p{L}\p{N}])[a-z]:[\\/](?=\S)|(?<![\p{L}\p{N}\\])\\{2,}(?=[?.]\\|[\p{L}\p{N}][^\s\\]{1,80}\\)|(?<![\p{L}\p{N}_.])\.{1,2}[\\/](?=[^\s…])|(?<![\p{L}\p{N}_.~\\/%…\])<*-])\/+(?=[^\s\\/…])|(?<![\\/])[\\/]+(?=(?:home|users|mnt|media|volumes|root|srv|(?:var|usr|export)[\\/]home)[\\/])/giu;

/** Folders of systems and of programs that all users share, and paths of model servers. */
const OF_NOBODY =
  /\/+(?:usr(?!\/+home)|bin|sbin|lib\d*|etc|dev|proc|sys|opt|nix|snap|System|Applications|Library|var\/+(?:lib|log|cache|run)|run(?!\/+media))(?![\w.-])|\/(?:v1|v1beta|api)(?![\w.-])|[a-z]:[\\/]+(?:windows|program files(?: \(x86\))?)[\\/]/iy;
const SIMPLE = /[^\s"'`<>|]{0,500}/y;
const PLAIN_NAMES = /(?:[\\/]+[\w@.+$-]+)*/y;
/** Code of packages and of the app, wherever it is installed. */
const CODE =
  /[\\/]((?:app\.asar(?:\.unpacked)?|node_modules)(?:[\\/]+[\w@.+$-]+)+(?::\d+){0,2})(?=[)\s"'`]|$)/;
const UPWARDS = /(?:^|[\\/])\.\.(?:[\\/]|$)/;
/** What may follow a path that has no quotes around it: the code of an error, or a line and a column. */
const AFTER = /(?:: E[A-Z0-9_]{2,30}|:\d{1,9}(?::\d{1,9})?\)?|\))$/;
const HOST =
  /(?:\[redacted\]@)?(?:\[[0-9a-f:.]{2,60}\]|[\p{L}\p{N}._-]{1,255}|\[host\])+(?::\d{1,5})?/iuy;
const REST = /[^\s<>"`]*/y;
const LINE = /[^\n]{0,500}/y;

/** How much of a line is searched for what belongs to one path. */
const MAX_PATH = 500;

const DATA_NAMES: ReadonlySet<string> = new Set(
  Object.values(dataPaths('/x')).flatMap((path) =>
    typeof path === 'string' && path !== '/x' ? [basename(path)] : [],
  ),
);
/** Below those: ids, logs, and the folders of Crashpad. */
const OWN_NAME =
  /^(?:[a-z]{2,12}_[0-9a-z]{1,30}|hyperagent[\w.-]{0,30}|Crashpad|completed|pending|new|reports)$/;
const NAME = /[\\/]+([\w.-]+)(?=[\\/"'`:\s),;]|$)/y;

/**
 * One text of the log without paths that lead to the user's files, and with nothing of addresses but scheme and
 * host. A path in quotes is removed up to the last such quote of its line, any other up to the end of the line:
 * rather too much than the rest of a name.
 */
export function withoutPlaces(text: string, folders: ShownFolders): string {
  let shown = '';
  let at = 0;
  let lineEnd = -1;
  START.lastIndex = 0;
  for (let start = START.exec(text); start !== null; start = START.exec(text)) {
    const [found] = start;
    const { index } = start;
    if (lineEnd < index) lineEnd = endOfLine(text, index);
    const isAddress = start.groups?.scheme !== undefined;
    const place = isAddress
      ? addressAt(text, index, found)
      : pathAt(text, index, { ...folders, lineEnd });
    shown += text.slice(at, index) + place.shown;
    at = place.end;
    START.lastIndex = Math.max(at, index + 1);
  }
  return shown + text.slice(at);
}

interface Place {
  readonly shown: string;
  readonly end: number;
}

function addressAt(text: string, index: number, scheme: string): Place {
  const host = match(HOST, text, index + scheme.length);
  const restStart = index + scheme.length + host.length;
  const rest = restOfAddress(text, restStart, text[index - 1] ?? '');
  const [after = ''] = /['),.;:]{1,8}$/.exec(rest) ?? [];
  const path = rest.slice(0, rest.length - after.length);
  const [known = ''] = /^\/(?:v1|api)(?=[/?#]|$)/.exec(path) ?? [];
  const left = path.slice(known.length);
  const kept = left === '' || left === '/' ? left : '/…';
  return { shown: scheme + host + known + kept + after, end: restStart + rest.length };
}

interface Surroundings extends ShownFolders {
  readonly lineEnd: number;
}

/** In quotes, a name with spaces goes on up to the next one. */
function restOfAddress(text: string, start: number, before: string): string {
  const rest = match(REST, text, start);
  if (!/["'`]/.test(before) || rest === '' || rest.includes(before)) return rest;
  const line = match(LINE, text, start + rest.length);
  const quote = line.indexOf(before);
  return quote === -1 ? rest : rest + line.slice(0, quote);
}

function pathAt(text: string, index: number, { data, lineEnd }: Surroundings): Place {
  const allowed = allowedAt(text, index, data);
  if (allowed?.isWhole === true) return { shown: allowed.shown, end: index + allowed.shown.length };
  const before = text[index - 1] ?? '';
  const lastQuote = /["'`]/.test(before) ? text.lastIndexOf(before, lineEnd - 1) : -1;
  const isQuoted = lastQuote > index;
  const whole = text.slice(index, isQuoted ? lastQuote : lineEnd);
  const kept = isQuoted ? '' : (AFTER.exec(whole.slice(-60))?.[0] ?? '');
  const first = whole.slice(0, MAX_PATH);
  const code = UPWARDS.test(first) ? null : CODE.exec(first);
  if (code !== null) {
    const [all, names = ''] = code;
    return { shown: `[path]/${names}`, end: index + code.index + all.length };
  }
  const sign = allowed === null ? (text[index] === '~' ? '~/…' : '[path]') : `${allowed.shown}/…`;
  return { shown: sign + kept, end: index + whole.length };
}

interface Allowed {
  readonly shown: string;
  /** Whether nothing else belongs to the path. */
  readonly isWhole: boolean;
}

/** How much of the path at `index` may be shown; null for nothing. */
function allowedAt(text: string, index: number, data: string | null): Allowed | null {
  const simple = match(SIMPLE, text, index);
  if (UPWARDS.test(simple) || simple.length === MAX_PATH) return null;
  if (data !== null && startsWithFolder(text, index, data)) return ownNames(text, index, data);
  if (text.startsWith('[app]', index)) {
    const shown = `[app]${match(PLAIN_NAMES, text, index + 5)}`;
    // Upwards from there behind a name with spaces.
    const isUpwards = UPWARDS.test(text.slice(index, index + MAX_PATH));
    return isUpwards ? null : { shown, isWhole: true };
  }
  return match(OF_NOBODY, text, index) === '' ? null : { shown: simple, isWhole: true };
}

function startsWithFolder(text: string, index: number, folder: string): boolean {
  const after = text[index + folder.length] ?? '';
  const found = text.slice(index, index + folder.length);
  return found.toLowerCase() === folder.toLowerCase() && /^[\\/\s"'`:),;]?$/.test(after);
}

/** The data folder with the names below it that the app gave. */
function ownNames(text: string, index: number, data: string): Allowed {
  let at = index + data.length;
  for (let depth = 0; depth < 3; depth += 1) {
    NAME.lastIndex = at;
    const [found = '', name = ''] = NAME.exec(text) ?? [];
    if (found === '' || !(depth === 0 ? DATA_NAMES.has(name) : OWN_NAME.test(name))) break;
    at += found.length;
  }
  return { shown: text.slice(index, at), isWhole: !/[\\/]/.test(text[at] ?? '') };
}

function endOfLine(text: string, index: number): number {
  const at = text.indexOf('\n', index);
  return at === -1 ? text.length : at;
}

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}
