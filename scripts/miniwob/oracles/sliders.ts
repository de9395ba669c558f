import { type TaskPage, ViewLacks } from '../task-page.ts';
import type { ViewLine } from '../view.ts';

const OTHER_CONTROLS = ['button', 'checkbox', 'textbox', 'radio', 'link', 'heading'];

/** The handles of sliders. One without a role is whatever can be focused and has no name. */
export async function sliders(page: TaskPage, count: number): Promise<readonly ViewLine[]> {
  const lines = await page.body();
  const named = lines.filter(({ ref, role }) => ref !== null && role === 'slider');
  if (named.length > 0) return named;
  const handles = lines.filter(
    ({ ref, role, name }) =>
      ref !== null &&
      !OTHER_CONTROLS.includes(role) &&
      (name === '' || role === 'handle' || /slider|handle/i.test(name)),
  );
  const grips = handles.filter(({ role, name }) => role === 'handle' || /handle/i.test(name));
  if (grips.length >= count) return grips;
  if (handles.length < count) throw new ViewLacks(`${handles.length} of ${count} slider handles`);
  return handles;
}

/** Moves the slider at this place to a value, by its arrow keys. */
export async function setSlider(page: TaskPage, at: number, wanted: number): Promise<void> {
  for (let round = 0; round < 40; round += 1) {
    const slider = (await sliders(page, at + 1))[at];
    if (slider === undefined) throw new ViewLacks(`no slider ${at + 1}`);
    const value = Number(slider.value ?? (await shownNumber(page, at)));
    if (value === wanted) return;
    // A slider may move by more than one: close to the goal, it is looked at after each press.
    const steps = Math.max(1, Math.abs(wanted - value) - 1);
    const key = wanted > value ? 'ArrowRight' : 'ArrowLeft';
    await page.press(key, slider, Math.min(steps, 100));
  }
  throw new ViewLacks(`slider ${at + 1} does not reach ${wanted}`);
}

/** The value that the page shows beside a slider that names none. */
async function shownNumber(page: TaskPage, at: number): Promise<string> {
  const number = (await page.texts()).filter((text) => /^-?\d+$/.test(text.trim()))[at];
  if (number === undefined) throw new ViewLacks(`no value of slider ${at + 1}`);
  return number;
}
