import type { Locator, Page } from 'playwright-core';
import { until } from './expectations.ts';

type Scope = Page | Locator;

export function button(scope: Scope, name: string): Locator {
  return scope.getByRole('button', { name, exact: true });
}

export function checkbox(scope: Scope, name: string): Locator {
  return scope.getByRole('checkbox', { name, exact: true });
}

/** A field for text or a number, whatever stands after its label. */
export function field(scope: Scope, label: string): Locator {
  const called = { name: labelled(label) };
  return scope
    .getByRole('textbox', called)
    .or(scope.getByRole('spinbutton', called))
    .or(scope.getByRole('searchbox', called));
}

export function dropDown(scope: Scope, label: string): Locator {
  return scope.getByRole('combobox', { name: labelled(label) });
}

/** Presses the button of this name. */
export async function press(scope: Scope, name: string): Promise<void> {
  await button(scope, name).click();
}

/** Values of fields, by their labels. */
export async function fillIn(
  scope: Scope,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [label, value] of Object.entries(values)) await field(scope, label).fill(value);
}

export async function choose(scope: Scope, label: string, option: string): Promise<void> {
  await dropDown(scope, label).selectOption({ label: option });
}

export async function isChecked(box: Locator, wanted: boolean): Promise<void> {
  await until(
    async () => (await box.count()) === 1 && (await box.isChecked()) === wanted,
    () => `${box} is not ${wanted ? 'checked' : 'unchecked'}.`,
  );
}

export async function isDisabled(control: Locator): Promise<void> {
  await until(
    async () => (await control.count()) === 1 && (await control.isDisabled()),
    () => `${control} is not disabled.`,
  );
}

export async function holdsValue(control: Locator, value: string): Promise<void> {
  await until(
    async () => (await control.count()) === 1 && (await control.inputValue()) === value,
    () => `${control} does not hold "${value}".`,
  );
}

/** Each is there once, in the order in which they are read. */
export async function standInOrder(items: readonly Locator[]): Promise<void> {
  const isInOrder = async (): Promise<boolean> => {
    for (const item of items) if ((await item.count()) !== 1) return false;
    const boxes = await Promise.all(items.map((item) => item.boundingBox()));
    return boxes.every((box, index) => {
      const before = boxes[index - 1];
      if (index === 0) return box !== null;
      if (!box || !before) return false;
      return box.y > before.y + 1 || (Math.abs(box.y - before.y) <= 1 && box.x > before.x);
    });
  };
  await until(isInOrder, () => `Not each there once and in this order: ${items.join(', ')}`);
}

/** Opens the same address in a browser profile of its own. */
export async function asAnotherVisitor(
  page: Page,
  visit: (visitor: Page) => Promise<void>,
): Promise<void> {
  const browser = page.context().browser();
  if (!browser) throw new Error('There is no browser for a second visitor.');
  const context = await browser.newContext();
  try {
    const visitor = await context.newPage();
    await visitor.goto(page.url());
    await visit(visitor);
  } finally {
    await context.close();
  }
}

export function heading(page: Page, name: string): Locator {
  return page.getByRole('heading', { name, exact: true });
}

/** The control has the focus. */
export async function isFocused(control: Locator): Promise<void> {
  await until(
    () => control.evaluate((element) => element.matches(':focus')),
    () => `${control} has not the focus.`,
  );
}

export function link(page: Page, name: string): Locator {
  return page.getByRole('link', { name, exact: true }).first();
}

/** Whether the page shows a text now. */
export async function says(page: Page, text: string): Promise<boolean> {
  return (await page.locator('body').innerText()).toLowerCase().includes(text.toLowerCase());
}

/** No number follows a caption, and nothing that is none. */
export async function showsNoFigure(page: Page, caption: string): Promise<void> {
  const figure = new RegExp(`${caption}\\s*-?(\\d|NaN|Infinity)`, 'i');
  await until(
    async () => !figure.test(await page.locator('body').innerText()),
    () => `A figure is shown for "${caption}".`,
  );
}

function labelled(label: string): RegExp {
  return new RegExp(`^\\s*${label}\\s*[:\uff1a*]*\\s*$`);
}
