import type {
  ActingRun,
  ActionOutcome,
  BrowserAction,
  ShownElement,
  TaskBrowser,
} from '#main/browser/types.ts';

/** A browser of a task without a page behind it: it shows what a test gives it, and writes down what it does. */
export class FakeTaskBrowser implements TaskBrowser {
  url: string | null = 'https://shop.example/cart';
  dialog: TaskBrowser['dialog'] = null;
  readonly control = 'agent';
  /** Where the task's own app is shown. */
  preview: string | null = null;
  /** What was done, oldest first. */
  readonly actions: BrowserAction[] = [];
  readonly runs: ActingRun[] = [];
  /** How many actions were under way when each began. */
  readonly beside: number[] = [];
  outcome: (
    action: BrowserAction,
    run: ActingRun,
  ) => Partial<ActionOutcome> | Promise<Partial<ActionOutcome>> = () => ({});
  isPreview(url: string | null): boolean {
    return this.preview !== null && url?.startsWith(this.preview) === true;
  }

  readonly #shown = new Map<string, ShownElement>();
  #acting = 0;

  /** Shows an element, by default a button without a form. */
  show(element: Partial<ShownElement> & { readonly ref: string }): void {
    const plain = { role: 'button', name: 'More', href: null, isSubmit: false, form: null };
    this.#shown.set(element.ref, { ...plain, ...element });
  }

  shown(ref: string): ShownElement | null {
    return this.#shown.get(ref) ?? null;
  }

  async act(action: BrowserAction, run: ActingRun): Promise<ActionOutcome> {
    this.beside.push(this.#acting);
    this.#acting += 1;
    await new Promise((resolve) => setImmediate(resolve));
    this.#acting -= 1;
    this.actions.push(action);
    this.runs.push(run);
    const given = await this.outcome(action, run);
    return { ok: true, text: `Did ${action.kind}.`, url: this.url, ...given };
  }
}
