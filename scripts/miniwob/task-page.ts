import type { ActingRun, ActionOutcome, BrowserAction, TaskBrowser } from '#main/browser/types.ts';
import { parseView, type ViewLine } from './view.ts';

/** What the oracle needs is not in what a model reads: the view has to change. */
export class ViewLacks extends Error {
  override readonly name = 'ViewLacks';
}

/** An action that should work did not. */
export class ActionFailed extends Error {
  override readonly name = 'ActionFailed';
}

/** Words that ask for a line of the view: a name, or a pattern for it. */
export type Wanted = string | RegExp;

/** Looks at the same page in vain before it says that something is missing: some pages show it late. */
const LATE_LOOKS = 3;

/**
 * One task in the browser, as a model has it: it reads only what actions return, and acts only by actions. It looks
 * again where an action changed the page, and asks `find` for what the view does not show.
 */
export class TaskPage {
  readonly #browser: TaskBrowser;
  readonly #run: ActingRun;
  readonly #onText: (text: string) => void;
  #lines: readonly ViewLine[] | null = null;
  #query = '';
  actions = 0;

  constructor(browser: TaskBrowser, run: ActingRun, onText = (_text: string): void => undefined) {
    this.#onText = onText;
    this.#browser = browser;
    this.#run = run;
  }

  /** What the page asks for. */
  get query(): string {
    return this.#query;
  }

  async open(url: string): Promise<void> {
    await this.act({ kind: 'navigate', url });
    const query = (await this.lines()).find(({ role, ref }) => role === 'text' && ref === null);
    if (query === undefined) throw new ViewLacks('no text in the view');
    this.#query = query.name;
  }

  /** Does it, or throws `ActionFailed` with what the browser answered. */
  async act(action: BrowserAction): Promise<ActionOutcome> {
    const outcome = await this.attempt(action);
    if (!outcome.ok) {
      throw new ActionFailed(`${action.kind}: ${outcome.text.split('\n')[0] ?? ''}`);
    }
    return outcome;
  }

  async attempt(action: BrowserAction): Promise<ActionOutcome> {
    this.actions += 1;
    if (action.kind !== 'find') this.#lines = null;
    const outcome = await this.#browser.act(action, this.#run);
    this.#onText(`> ${JSON.stringify(action)}\n${outcome.text}`);
    return outcome;
  }

  /** The whole view, in reading order; taken again after an action. */
  async lines(): Promise<readonly ViewLine[]> {
    if (this.#lines !== null) return this.#lines;
    const { text } = await this.act({ kind: 'snapshot' });
    const all = parseView(text);
    const start = all.findIndex(({ name }) => name.startsWith('Page:'));
    this.#lines = all.slice(start + 1);
    return this.#lines;
  }

  /** The view without the query, whose words would be taken for those of the page. */
  async body(): Promise<readonly ViewLine[]> {
    return (await this.lines()).filter(({ name, ref }) => ref !== null || name !== this.#query);
  }

  /** All texts and names below the query, in reading order, one to an entry. */
  async texts(): Promise<string[]> {
    return (await this.body()).flatMap(({ name, value }) =>
      [name, value ?? ''].filter((text) => text !== ''),
    );
  }

  /** Elements of a role, in reading order. */
  async all(...roles: readonly string[]): Promise<readonly ViewLine[]> {
    const seen = (await this.lines()).filter(
      ({ ref, role }) => ref !== null && roles.includes(role),
    );
    if (seen.length > 0) return seen;
    const found = await Promise.all(roles.map((role) => this.found({ role })));
    return found.flat().filter(({ role }) => roles.includes(role));
  }

  /** The element of a role with this name; any of that role without one. */
  async one(role: string | readonly string[], name?: Wanted): Promise<ViewLine> {
    const roles = typeof role === 'string' ? [role] : role;
    for (let look = 0; look < LATE_LOOKS; look += 1) {
      const match = (await this.all(...roles)).find(
        (line) => name === undefined || matches(line.name, name),
      );
      if (match !== undefined) return match;
      await this.waitFor(1);
    }
    throw new ViewLacks(`no ${roles.join(' or ')}${name === undefined ? '' : ` ${shown(name)}`}`);
  }

  /** Whatever has this name or text and can be acted on, in reading order; asks `find` where the view has none. */
  async named(name: Wanted): Promise<readonly ViewLine[]> {
    const fits = (line: ViewLine): boolean =>
      line.ref !== null && line.name !== this.#query && matches(line.name, name);
    const seen = (await this.lines()).filter(fits);
    if (seen.length > 0 || name instanceof RegExp) return seen;
    return (await this.found({ text: name })).filter(fits);
  }

  /** What `find` answers, as lines with a ref. */
  async found(wanted: { readonly text?: string; readonly role?: string }): Promise<ViewLine[]> {
    const { ok, text } = await this.attempt({ kind: 'find', ...wanted });
    return ok ? parseView(text).filter(({ ref }) => ref !== null) : [];
  }

  /** The first that has this name or text; waits for one that comes late. */
  async theNamed(name: Wanted): Promise<ViewLine> {
    for (let look = 0; look < LATE_LOOKS; look += 1) {
      const [first] = await this.named(name);
      if (first !== undefined) return first;
      await this.waitFor(1);
    }
    throw new ViewLacks(`nothing to act on named ${shown(name)}`);
  }

  /** Looks again where it moved or went meanwhile. */
  async clickNamed(name: Wanted): Promise<void> {
    const { ok } = await this.attempt(clickOn(await this.theNamed(name)));
    if (!ok) await this.click(await this.theNamed(name));
  }

  async hoverNamed(name: Wanted): Promise<void> {
    await this.act({ kind: 'hover', at: { ref: refOf(await this.theNamed(name)) } });
  }

  async click(line: ViewLine): Promise<void> {
    await this.act(clickOn(line));
  }

  async button(name: Wanted): Promise<void> {
    await this.click(await this.one('button', name));
  }

  async submit(): Promise<void> {
    await this.button('Submit');
  }

  async type(line: ViewLine, text: string): Promise<void> {
    await this.act({ kind: 'type', ref: refOf(line), text });
  }

  async press(key: string, line?: ViewLine, times = 1): Promise<void> {
    const ref = line === undefined ? {} : { ref: refOf(line) };
    await this.act({ kind: 'press_key', key, ...ref, times });
  }

  async waitFor(seconds: number): Promise<void> {
    await this.attempt({ kind: 'wait', seconds });
  }

  /** The fields of text, in reading order. */
  async fields(): Promise<readonly ViewLine[]> {
    return await this.all('textbox', 'searchbox', 'spinbutton', 'combobox');
  }

  /** The field that a label belongs to: by its name, else the one beside the label's text. */
  async field(label: string): Promise<ViewLine> {
    const wanted = label.toLowerCase();
    const fits = (text: string): boolean => text.toLowerCase().includes(wanted);
    const fields = await this.fields();
    const byName = fields.find(({ name }) => fits(name));
    if (byName !== undefined) return byName;
    const lines = await this.body();
    const at = lines.findIndex(({ name, ref }) => ref === null && fits(name));
    if (at === -1) throw new ViewLacks(`no label "${label}"`);
    const isField = (line: ViewLine): boolean => fields.some(({ ref }) => ref === line.ref);
    const firstField = lines.findIndex(isField);
    const lastLabel = lines.findLastIndex(
      ({ ref, role, name }) => ref === null && role === 'text' && !/^…/.test(name),
    );
    // Labels stand before their fields, unless a field is first and a label last.
    const areAfter = firstField < at && isField(lines[at - 1] ?? NO_LINE) && lastLabel > firstField;
    const labelsFirst = lines
      .slice(0, firstField)
      .some(({ ref, role }) => ref === null && role === 'text');
    const beside =
      areAfter && !labelsFirst
        ? lines.slice(0, at).findLast(isField)
        : lines.slice(at).find(isField);
    if (beside === undefined) throw new ViewLacks(`no field beside "${label}"`);
    return beside;
  }
}

const NO_LINE: ViewLine = {
  ...{ indent: 0, ref: null, role: 'text', name: '', value: null },
  ...{ states: [], options: [], raw: '' },
};

export function refOf(line: ViewLine): string {
  if (line.ref === null) throw new ViewLacks(`no ref at ${line.raw.trim()}`);
  return line.ref;
}

function clickOn(line: ViewLine): BrowserAction {
  return { kind: 'click', at: { ref: refOf(line) } };
}

export function matches(text: string, wanted: Wanted): boolean {
  return wanted instanceof RegExp ? wanted.test(text) : text.trim() === wanted.trim();
}

/** The parts of the query that a pattern captures; throws where it asks something else. */
export function asked(query: string, pattern: RegExp): string[] {
  const match = pattern.exec(query);
  if (match === null) throw new ViewLacks(`the query reads "${query}"`);
  return match.slice(1).map((part) => part ?? '');
}

function shown(wanted: Wanted): string {
  return wanted instanceof RegExp ? String(wanted) : `"${wanted}"`;
}
