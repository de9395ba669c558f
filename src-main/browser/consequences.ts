import { nameActs } from './act-names.ts';
import type { ShownElement, ShownForm } from './types.ts';

/**
 * What using an element does, beyond looking and moving: it sends a form, or its name says that it acts. Either alone
 * is enough.
 */
export type Consequence = 'submits' | 'acts';

/** Roles of fields: a click puts the cursor there or chooses, and Enter sends their form. */
const FIELDS: ReadonlySet<string> = new Set([
  ...['textbox', 'searchbox', 'combobox', 'spinbutton', 'listbox', 'option'],
  ...['checkbox', 'radio', 'switch', 'slider'],
]);
const SEARCHES = /^(?:search|find)\b|^(?:搜索|搜一搜|搜|查找|检索|搜尋|請輸入關鍵字)/i;

/** What a click on an element does; null for nothing that needs a question. */
export function clickDoes(element: ShownElement, pageUrl: string | null): Consequence | null {
  const { isSubmit, form, role, name } = element;
  // What sends a form does so whatever role it says it has.
  if (isSubmit && (form === null || !isHarmless(form, pageUrl))) return 'submits';
  return !FIELDS.has(role) && nameActs(name, role) ? 'acts' : null;
}

/** What Enter does: a field sends its form, or what was typed; anything else is clicked. */
export function enterDoes(element: ShownElement, pageUrl: string | null): Consequence | null {
  if (!FIELDS.has(element.role)) return clickDoes(element, pageUrl);
  const { form, role, name } = element;
  if (form !== null) return isHarmless(form, pageUrl) ? null : 'submits';
  // A field without a form sends by script, as chats do, and as some searches do.
  return role === 'searchbox' || SEARCHES.test(name.trim()) ? null : 'submits';
}

/** What is dropped on an element that deletes, or sends, is deleted, or sent. */
export function dropDoes(target: ShownElement): Consequence | null {
  return BINS.test(target.name) || nameActs(target.name, target.role) ? 'acts' : null;
}

const BINS = /\b(?:trash|bin|delete|remove|publish|send)\b|回收站|垃圾|删除|发送|发布/i;

/** A search that reads from its own site, or a form that only closes a dialog. */
function isHarmless({ method, action, isSearch }: ShownForm, pageUrl: string | null): boolean {
  if (method === 'dialog') return true;
  return method === 'get' && isSearch && pageUrl !== null && isSameSite(action, pageUrl);
}

function isSameSite(one: string, other: string): boolean {
  const [a, b] = [URL.parse(one), URL.parse(other)];
  if (a === null || b === null || a.protocol !== b.protocol) return false;
  const site = ({ hostname }: URL): string => hostname.replace(/^www\./, '');
  return a.port === b.port && site(a) === site(b);
}
