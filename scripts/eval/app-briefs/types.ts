import type { Page } from 'playwright-core';

/** What a user wishes an app to be, and what shows in a browser that it is so. */
export interface AppBrief {
  /** Lower case with hyphens. */
  readonly name: string;
  readonly prompt: string;
  readonly points: readonly AcceptancePoint[];
}

export interface AcceptancePoint {
  /** As a statement about the app. */
  readonly says: string;
  /** Rejects where it does not hold. The page of the app is open, in a profile of its own. */
  readonly holds: (page: Page) => Promise<void>;
}
