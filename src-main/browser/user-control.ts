import type { Page } from 'playwright-core';
import type { BrowserInput, BrowserSelection, BrowserState } from '#contract/browser.ts';
import { AppError } from '#contract/errors.ts';
import type { Control } from './control.ts';
import { FileChoosers } from './file-choosers.ts';
import { ask } from './page-script.ts';
import type { PrivateValues } from './private-values.ts';
import { readSelection } from './selection.ts';
import { placeSignIn, readSignIn, type SignIn, siteOf } from './sign-in.ts';
import type { Tab } from './tab.ts';
import { doTabsOfUser, isOfTabs } from './tab-actions.ts';
import type { TabStrip } from './tab-strip.ts';
import type { BrowserDestination, GivenFiles, HandBack } from './types.ts';
import { readUserValues, showUserValues, UserHands } from './user-hands.ts';

export interface UserControlParts {
  readonly control: Control;
  readonly tabs: () => TabStrip;
  readonly values: PrivateValues;
  /** Something was done: the idle time starts again. */
  readonly onUse: () => void;
  readonly onChange: () => void;
}

/** What the user does in the browser of a task. All but `begin` and `end` throw `CONFLICT` unless they have control. */
export class UserControl {
  readonly #parts: UserControlParts;
  readonly #hands: UserHands;
  readonly #choosers: FileChoosers;

  constructor(parts: UserControlParts) {
    this.#parts = parts;
    this.#hands = new UserHands(parts.values);
    this.#choosers = new FileChoosers(parts.values, parts.onChange);
  }

  /** The user has taken over, and a tab is open. */
  async begin(): Promise<void> {
    const { all } = this.#parts.tabs();
    this.#choosers.begin(all);
    const frames = all.flatMap(({ page }) => page.frames()).slice(0, 100);
    const looks = frames.map((frame) => ask(frame, 'takeOver', { timeoutMs: 500 }));
    await Promise.allSettled(looks);
  }

  /** The user is about to give control back: what they typed is read for the last time. */
  async end(how: HandBack): Promise<void> {
    const { tabs, values } = this.#parts;
    this.#choosers.end();
    await readUserValues(tabs().current, values, { ends: true });
    if (how.showTyped) await showUserValues(tabs().all.map(({ page }) => page));
    values.ends(how);
  }

  opened(tab: Tab): void {
    this.#choosers.opened(tab);
  }

  /** What the page of a tab asks the user for; null for nothing. */
  chooser(tab: Tab | null): BrowserState['chooser'] {
    return this.#choosers.waiting(tab);
  }

  async input(inputs: readonly BrowserInput[]): Promise<void> {
    this.#parts.onUse();
    this.#choosers.pressed(inputs);
    await this.#hands.do(this.#page(), inputs);
    // Fields may be gone after the next key.
    await this.#readValues();
  }

  async selection(): Promise<BrowserSelection> {
    this.#parts.onUse();
    return await readSelection(this.#page());
  }

  async giveFiles(given: GivenFiles): Promise<void> {
    this.#parts.onUse();
    await this.#choosers.give(this.#tab(), given);
  }

  async go(to: BrowserDestination): Promise<void> {
    const { control, onUse, onChange, tabs } = this.#parts;
    onUse();
    control.requireUser();
    await this.#readValues();
    if (isOfTabs(to)) await doTabsOfUser(tabs(), to);
    else await this.#hands.go(this.#page(), to);
    onChange();
  }

  async readSignIn(): Promise<SignIn> {
    this.#parts.onUse();
    return await readSignIn({ page: this.#quietPage(), values: this.#parts.values });
  }

  async useSignIn(signIn: SignIn): Promise<void> {
    const page = this.#quietPage();
    const url = siteOf(page.url()) === signIn.site ? page.url() : `${signIn.site}/`;
    await placeSignIn(signIn, { page, values: this.#parts.values });
    await this.go({ url });
  }

  #readValues(): Promise<void> {
    const { tabs, values } = this.#parts;
    return readUserValues(tabs().current, values, { ends: false });
  }

  #page(): Page {
    return this.#tab().page;
  }

  #tab(): Tab {
    this.#parts.control.requireUser();
    const tab = this.#parts.tabs().current;
    if (tab !== null) return tab;
    throw new AppError('CONFLICT', 'No page is open. Open a tab first.');
  }

  /** The page, while it can be asked. */
  #quietPage(): Page {
    const page = this.#page();
    if (this.#parts.tabs().dialog === null) return page;
    throw new AppError('CONFLICT', 'Answer the dialog of the page first.');
  }
}
