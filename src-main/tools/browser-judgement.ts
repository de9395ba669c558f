import { messageActs } from '../browser/act-names.ts';
import { type Consequence, clickDoes, dropDoes, enterDoes } from '../browser/consequences.ts';
import { isLook } from '../browser/looks.ts';
import type {
  BrowserAction,
  ExpectedElement,
  ShownElement,
  TaskBrowser,
} from '../browser/types.ts';
import type { RunEgress } from '../egress/app-egress.ts';
import { pageOf } from '../egress/page-of.ts';
import type { EgressTarget } from '../egress/target.ts';
import { describeForm, lineOf, quoted } from './browser-question.ts';
import type { CallInRun } from './types.ts';

/** What an action was judged by: what has to be the same when it runs. */
export interface SeenPage {
  /** A ref that no view has shown: nothing is known about it. */
  readonly unknownRef?: string;
  readonly expected?: ExpectedElement;
  /** Hosts that the user allows by approving the call. */
  readonly opens?: readonly EgressTarget[];
  /** The dialog that was answered. */
  readonly dialog?: TaskBrowser['dialog'];
}

export interface Judged extends CallInRun {
  readonly seen: SeenPage;
}

interface JudgingParts {
  readonly browser: Pick<TaskBrowser, 'shown' | 'url' | 'dialog' | 'isPreview'>;
  readonly egress: Pick<RunEgress, 'allowsPage'>;
}

/**
 * What an action would do, by the page as the model last saw it. Looking and moving are free on hosts that the run
 * may reach. What sends a form, or says by its name that it sends, pays, deletes or signs in, is of high risk, and so
 * is an act of which nobody can say what it does.
 */
export function judgeAction(
  action: BrowserAction,
  { browser, egress: network }: JudgingParts,
): Judged {
  const egress = {
    allowsPage: (url: URL) => browser.isPreview(url.href) || network.allowsPage(url),
  };
  const page = new PageJudge({ browser, egress });
  const used = (ref: string, does: Does, use: Use): Judged => {
    const element = browser.shown(ref);
    if (element === null) return page.low({ unknownRef: ref });
    return page.use(element, does(element, browser.url), use);
  };
  if (isLook(action)) return page.low();
  switch (action.kind) {
    case 'navigate': {
      const target = pageOf(action.url);
      const isFree = target === null || egress.allowsPage(target.address);
      return {
        risk: isFree ? 'low' : 'high',
        ...(target === null ? {} : { subjects: { hosts: [target.host] } }),
        question: 'Open this page?',
        notice: `It opens ${lineOf(action.url)} in the browser, and so sends everything in this address to ${target?.host ?? 'that host'}. The page is read as data.`,
        seen: isFree ? {} : { opens: [target.target] },
      };
    }
    case 'click':
      if (!('ref' in action.at)) return page.high('Click a point', UNKNOWN_POINT);
      return used(action.at.ref, clickDoes, { verb: 'Click', follows: true });
    case 'drag': {
      const { from, to } = action;
      if (!('ref' in from) || !('ref' in to)) return page.high('Drag to a point', UNKNOWN_POINT);
      if (browser.shown(from.ref) === null) return page.low({ unknownRef: from.ref });
      return used(to.ref, dropDoes, { verb: 'Drop something on' });
    }
    case 'select':
      return used(action.ref, () => null, { verb: 'Choose in' });
    case 'type': {
      if (action.submit !== true) return used(action.ref, () => null, { verb: 'Type into' });
      const lines = [`It types ${lineOf(action.text)}`];
      return used(action.ref, enterDoes, { verb: 'Type and submit', lines });
    }
    case 'press_key': {
      const does = keyDoes(action.key);
      const verb = `Press ${lineOf(action.key)}`;
      if (does === null) return page.quiet(verb);
      if (action.ref === undefined) return page.high(verb, UNKNOWN_FOCUS);
      return used(action.ref, does, { verb: `${verb} in`, follows: true });
    }
    case 'upload': {
      const lines = action.paths.map((path) => `It uploads ${lineOf(path)}`);
      return used(action.ref, () => 'acts', { verb: 'Upload to', lines });
    }
    case 'dialog': {
      const { dialog } = browser;
      const asks = dialog?.kind === 'confirm' || dialog?.kind === 'prompt';
      const acts = asks && messageActs(`${dialog.message} ${action.text ?? ''}`);
      if (!action.accept || !acts) return page.low({ dialog });
      return page.high(`Accept ${quoted(dialog.message)}`, {
        lines: [`The page asks: ${lineOf(dialog.message)}`],
        seen: { dialog },
      });
    }
  }
}

type Does = (element: ShownElement, pageUrl: string | null) => Consequence | null;

interface Use {
  readonly verb: string;
  /** It follows a link. */
  readonly follows?: boolean;
  /** What the user reads of the call. */
  readonly lines?: readonly string[];
}

const UNKNOWN_POINT = {
  lines: ['It is not known what is at this point of the page, or what happens there.'],
};
const UNKNOWN_FOCUS = {
  lines: ['It is not known where the cursor is, and so what this key sends.'],
};

/** Whether a key may send or click, where it is pressed on the right element. */
export function keyActs(key: string): boolean {
  return keyDoes(key) !== null;
}

/** Enter sends, and the space bar clicks what is not a field. */
function keyDoes(key: string): Does | null {
  const last = key.split('+').at(-1)?.toLowerCase() ?? '';
  if (['enter', 'numpadenter', 'return'].includes(last)) return enterDoes;
  if (key === ' ' || last === 'space' || last === 'spacebar') return clickDoes;
  return null;
}

/** Judges what happens on the current page. */
class PageJudge {
  readonly #parts: JudgingParts;

  constructor(parts: JudgingParts) {
    this.#parts = parts;
  }

  low(seen: SeenPage = {}): Judged {
    return { risk: 'low', ...this.#subjects(), seen };
  }

  /** What has no consequence by itself, but reaches a page: on a host that the run may not reach, that asks. */
  quiet(act: string, seen: SeenPage = {}): Judged {
    const here = this.#strangeHost();
    if (here === null) return this.low(seen);
    const lines = [
      'You have not allowed this site yet. The agent has read what others wrote: it may have led here.',
    ];
    return this.high(act, { lines, exit: newHost(here.host), seen: { ...seen, opens: [here] } });
  }

  high(
    act: string,
    {
      lines,
      exit = `It would act on ${this.#shownHost()} in your name.`,
      seen = {},
      hosts = [],
    }: {
      readonly lines: readonly string[];
      readonly exit?: string;
      readonly seen?: SeenPage;
      readonly hosts?: readonly string[];
    },
  ): Judged {
    const { url } = this.#parts.browser;
    // What the task's own app does, it does in the sandbox.
    if (hosts.length === 0 && this.#isOwnApp()) return this.low(seen);
    return {
      risk: 'high',
      ...this.#subjects(hosts),
      exit,
      question: `${act} on ${this.#shownHost()}?`,
      notice: [`The page is ${url === null ? 'not open' : lineOf(url)}`, ...lines].join('\n'),
      seen,
    };
  }

  /** What the use of an element does, and where its link or its form leads. */
  use(element: ShownElement, does: Consequence | null, use: Use): Judged {
    const { verb, follows = false, lines = [] } = use;
    const { form, href } = element;
    const sent = does === 'submits' || (does === 'acts' && element.isSubmit) ? form : null;
    const leadsTo = sent?.action ?? (follows ? href : null);
    const target = leadsTo === null ? null : pageOf(leadsTo);
    const isNew = target !== null && !this.#parts.egress.allowsPage(target.address);
    const act = `${verb} ${quoted(element.name === '' ? element.role : element.name)}`;
    const isHarmless = does === null || this.#isOwnApp();
    if (isHarmless && !isNew) return this.quiet(act, { expected: withoutFields(element) });
    const here = this.#strangeHost();
    const opens = [...(isNew ? [target.target] : []), ...(here === null ? [] : [here])];
    const link = sent === null && leadsTo !== null ? [`It opens ${lineOf(leadsTo)}`] : [];
    return this.high(act, {
      lines: [...lines, ...(sent === null ? link : describeForm(sent))],
      exit: isNew
        ? newHost(target.host)
        : `It would act on ${target?.host ?? this.#shownHost()} in your name.`,
      hosts: target === null ? [] : [target.host],
      seen: { expected: element, opens },
    });
  }

  /** Rules look at the host of the page, and at the one that is sent to. */
  #subjects(more: readonly string[] = []): Pick<CallInRun, 'subjects'> {
    const { url } = this.#parts.browser;
    const host = url === null ? undefined : pageOf(url)?.host;
    const hosts = [...new Set([...(host === undefined ? [] : [host]), ...more])];
    return hosts.length === 0 ? {} : { subjects: { hosts } };
  }

  /** Of the current page, if the run may not reach it without asking: a page may lead anywhere by its scripts. */
  #strangeHost(): EgressTarget | null {
    const { browser, egress } = this.#parts;
    const here = browser.url === null ? null : pageOf(browser.url);
    return here === null || egress.allowsPage(here.address) ? null : here.target;
  }

  #isOwnApp(): boolean {
    const { browser } = this.#parts;
    return browser.isPreview(browser.url);
  }

  #shownHost(): string {
    const { url } = this.#parts.browser;
    return (url === null ? undefined : pageOf(url)?.host) ?? 'this page';
  }
}

function newHost(host: string): string {
  return `It would send to ${host}, which you have not allowed yet.`;
}

/** What the user was not asked about may change: calls before this one fill the form. */
function withoutFields(element: ShownElement): ExpectedElement {
  if (element.form === null) return element;
  const { fields: _fields, ...form } = element.form;
  return { ...element, form };
}
