import { ActionFailed } from './action-failed.ts';
import type { Done } from './do-action.ts';
import type { TabStrip } from './tab-strip.ts';
import type { BrowserAction, BrowserDestination, TabDestination } from './types.ts';

/** Lists, shows, opens and closes tabs. Throws `ActionFailed` for a tab that is not there. */
export async function doTabs(
  tabs: TabStrip,
  { tab, close, open }: Extract<BrowserAction, { kind: 'tabs' }>,
): Promise<Done> {
  if (open === true) {
    await tabs.open();
    return { said: `Opened tab ${tabs.all.length}.`, lines: tabs.lines() };
  }
  const lines = tabs.lines();
  if (tab === undefined) return { said: 'Tabs:', lines, isLook: true };
  const chosen = tabs.all[tab - 1];
  if (chosen === undefined) {
    throw new ActionFailed(`There is no tab ${tab}. Tabs: ${lines.join('; ')}`);
  }
  if (close === true) {
    tabs.drop(chosen);
    return { said: `Closed tab ${tab}.`, lines: tabs.lines() };
  }
  tabs.show(chosen);
  return { said: `Tab ${tab} is shown now.`, isElsewhere: true };
}

export function isOfTabs(to: BrowserDestination): to is TabDestination {
  return typeof to === 'string' ? to === 'new_tab' : !('url' in to);
}

/** The user's own tabs and answers to dialogs. Throws `NOT_FOUND` for a tab that is closed. */
export async function doTabsOfUser(tabs: TabStrip, to: TabDestination): Promise<void> {
  if (to === 'new_tab') await tabs.open();
  else if ('accept' in to) await tabs.answerDialog(to.accept, to.text);
  else if ('showTab' in to) tabs.show(tabs.byId(to.showTab));
  else tabs.drop(tabs.byId(to.closeTab));
}
