import type { Locator, Page } from 'playwright-core';

/** What acceptance points expect of a page; each rejects with the reason where it does not come true. */

/** How long a page has to come to what is expected of it. */
const PATIENCE_MS = 15_000;
const PAUSE_MS = 50;

/** Waits until a condition holds. `reason` is asked for once it has not. */
export async function until(
  holds: () => Promise<boolean>,
  reason: () => Promise<string> | string,
): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(await reason());
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** A text is visible on the page; what is in fields counts too. Spaces and letter case do not matter. */
export async function shows(scope: Page | Locator, text: string): Promise<void> {
  await until(
    async () => (await visibleText(scope)).includes(plain(text)),
    async () => `"${text}" is not shown; shown is: ${(await visibleText(scope)).slice(0, 300)}`,
  );
}

/** A text is not visible on the page, now or soon. */
export async function lacks(scope: Page | Locator, text: string): Promise<void> {
  await until(
    async () => !(await visibleText(scope)).includes(plain(text)),
    () => `"${text}" is shown.`,
  );
}

/** Texts are visible in this order, from top to bottom. */
export async function showsInOrder(scope: Page | Locator, texts: readonly string[]): Promise<void> {
  const isInOrder = async (): Promise<boolean> => {
    const shown = await visibleText(scope);
    let from = 0;
    return texts.every((text) => {
      const at = shown.indexOf(plain(text), from);
      from = at + plain(text).length;
      return at >= 0;
    });
  };
  await until(isInOrder, () => `Not shown in this order: ${texts.join(', ')}`);
}

/** How many elements there are comes to a number. */
export async function counts(found: Locator, count: number): Promise<void> {
  await until(
    async () => (await found.count()) === count,
    async () => `There are ${await found.count()} of ${found}, not ${count}.`,
  );
}

/** A field of a page, as far as it is read. */
interface Field {
  readonly value: string;
  readonly selectedOptions?: ArrayLike<{ readonly text: string }>;
}

/** What elements show, and what their fields hold. */
async function visibleText(scope: Page | Locator): Promise<string> {
  const root = 'goto' in scope ? scope.locator('body') : scope;
  const texts = await root.evaluateAll((elements) =>
    elements.map((element) => {
      const fields = [...element.querySelectorAll('input, textarea, select')].map((field) => {
        const { value, selectedOptions } = field as unknown as Field;
        return selectedOptions?.[0]?.text ?? value;
      });
      return [(element as unknown as { readonly innerText: string }).innerText, ...fields].join(
        ' ',
      );
    }),
  );
  return plain(texts.join(' '));
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}
