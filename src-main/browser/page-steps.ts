import type { Locator, Page } from 'playwright-core';
import type { PageStep } from './types.ts';

/** How long an element, or a text, is waited for. */
const WAIT_MS = 3_000;
/** What a name may belong to, in the order in which it is looked for. */
const PRESSED = [
  'button',
  'link',
  'tab',
  'checkbox',
  'radio',
  'switch',
  'menuitem',
  'option',
] as const;

/** What is done in a step, such as `pressing "Add"`. */
export function describeStep(step: PageStep): string {
  if ('expect' in step) return `finding "${step.expect}"`;
  if ('gone' in step) return `no longer finding "${step.gone}"`;
  return 'fill' in step ? `filling "${step.fill}"` : `pressing "${step.click}"`;
}

/** Takes one step on a page, by the names that people see. Returns why it could not be taken; null where it was. */
export async function doStep(page: Page, step: PageStep): Promise<string | null> {
  if ('expect' in step) {
    const isThere = await isShown(page.getByText(step.expect).filter({ visible: true }).first());
    return isThere ? null : `The page does not show "${step.expect}".`;
  }
  if ('gone' in step) {
    const isGone = await isHidden(page.getByText(step.gone).filter({ visible: true }));
    return isGone ? null : `The page still shows "${step.gone}".`;
  }
  if ('fill' in step) {
    const { fill, value } = step;
    const field = await firstOf([
      page.getByLabel(fill),
      page.getByPlaceholder(fill),
      page.getByRole('textbox', { name: fill }),
    ]);
    if (field === null) return `No field is named "${fill}".`;
    return await failed(setValue(field, value), `"${fill}" takes no input`);
  }
  const { click } = step;
  const target = await firstOf([
    ...PRESSED.map((role) => page.getByRole(role, { name: click })),
    page.getByText(click, { exact: true }),
  ]);
  if (target === null) return `Nothing is named "${click}" that can be pressed.`;
  return await failed(target.click({ timeout: WAIT_MS }), `"${click}" cannot be pressed`);
}

/** Choices are made, and texts are typed. */
async function setValue(field: Locator, value: string): Promise<void> {
  const isChoice = (await field.evaluate('(element) => element.localName')) === 'select';
  if (isChoice) await field.selectOption(value, { timeout: WAIT_MS });
  else await field.fill(value, { timeout: WAIT_MS });
}

/** The first of several that is there, once one of them is. */
async function firstOf(candidates: readonly Locator[]): Promise<Locator | null> {
  const [first, ...others] = candidates;
  if (first === undefined) return null;
  const any = others.reduce((sum, one) => sum.or(one), first).first();
  if (!(await isShown(any))) return null;
  for (const candidate of candidates) {
    const exact = candidate.first();
    if (await exact.isVisible().catch(() => false)) return exact;
  }
  return any;
}

async function isShown(locator: Locator): Promise<boolean> {
  return await locator.waitFor({ state: 'visible', timeout: WAIT_MS }).then(
    () => true,
    () => false,
  );
}

/** Whether nothing of it is shown, now or soon. */
async function isHidden(locator: Locator): Promise<boolean> {
  return await locator
    .first()
    .waitFor({ state: 'hidden', timeout: WAIT_MS })
    .then(
      () => true,
      () => false,
    );
}

async function failed(work: Promise<unknown>, problem: string): Promise<string | null> {
  return await work.then(
    () => null,
    () => `${problem}.`,
  );
}
