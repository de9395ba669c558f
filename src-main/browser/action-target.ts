import type { Tab } from './tab.ts';
import type { BrowserAction, ShownElement } from './types.ts';

/** What an action is about, for the list of actions. */
export function targetOf(action: BrowserAction, tab: Tab | null): string {
  switch (action.kind) {
    case 'navigate':
      return action.url.slice(0, 300);
    case 'click':
    case 'hover':
      return 'ref' in action.at ? nameIn(action.at.ref, tab) : `${action.at.x},${action.at.y}`;
    case 'type':
    case 'select':
    case 'upload':
      return nameIn(action.ref, tab);
    case 'press_key':
      return action.key.slice(0, 40);
    case 'find':
      return (action.text ?? action.role ?? '').slice(0, 100);
    default:
      return '';
  }
}

function nameIn(ref: string, tab: Tab | null): string {
  const element = elementIn(tab, ref);
  return element === undefined ? ref.slice(0, 40) : `${element.role} "${element.name}"`;
}

/** Refs as models write them: with brackets or without. */
export function elementIn(tab: Tab | null, ref: string): ShownElement | undefined {
  return tab?.view?.elements.get(
    ref
      .trim()
      .replace(/^\[|\]$/g, '')
      .toLowerCase(),
  );
}
