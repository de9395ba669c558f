const KEY = 'hyperagent.palette';
const KEPT = 20;

/** What was chosen in the command palette, the last one first; kept in the browser. */
export function recentChoices(storage: Pick<Storage, 'getItem'>): readonly string[] {
  try {
    const value: unknown = JSON.parse(storage.getItem(KEY) ?? '[]');
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  } catch {
    // Not written by this app: start over.
    return [];
  }
}

export function rememberChoice(storage: Pick<Storage, 'getItem' | 'setItem'>, key: string): void {
  const others = recentChoices(storage).filter((one) => one !== key);
  storage.setItem(KEY, JSON.stringify([key, ...others].slice(0, KEPT)));
}
