import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import type { BrowserInput, BrowserState } from '#contract/browser.ts';
import { BROWSER_TEXT_CHARS } from '#contract/limits.ts';
import { copyLater } from '../../bridge/clipboard.ts';
import { useSession } from '../../session-context.ts';
import { scheduleFrame } from '../../store/run-feed.ts';
import { browserStrings as words } from '../../strings/browser.ts';
import { PageInputs } from './page-inputs.ts';
import { listenToKeyboard } from './page-keyboard.ts';
import { listenToMouse } from './page-mouse.ts';

/** The hint that says how to leave the page by keyboard. */
export const LEAVE_HINT = 'browser-leave-hint';

/** What is selected goes. */
const DELETE: readonly BrowserInput[] = (['key_down', 'key_up'] as const).map((type) => {
  return { type, key: 'Delete', code: 'Delete', modifiers: [] };
});

interface PageKeysProps {
  readonly threadId: string;
  readonly title: string;
  readonly viewport: BrowserState['viewport'];
  readonly picture: RefObject<HTMLElement | null>;
  readonly ref: RefObject<HTMLTextAreaElement | null>;
  /** The focus is to leave the page. */
  readonly onLeave: () => void;
}

/**
 * Passes mouse and keyboard on to the page. What has the focus is a field without text, so that input methods work: it
 * lies where the page was last clicked, and is seen only while they compose.
 */
export function PageKeys(props: PageKeysProps): ReactNode {
  const { threadId, title, picture, ref } = props;
  const { browsers, showError } = useSession();
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    const field = ref.current;
    const surface = picture.current;
    if (field === null || surface === null) return;
    const inputs = new PageInputs({
      send: (all) => browsers.input(threadId, all),
      schedule: scheduleFrame,
    });
    const add = inputs.add.bind(inputs);
    const stopMouse = listenToMouse(surface, {
      add,
      viewport: () => latest.current.viewport,
      onPress: ({ across, down }) => {
        field.style.left = `min(${across * 100}%, 100% - 8em)`;
        field.style.top = `min(${down * 100}%, 100% - 2em)`;
        field.focus({ preventScroll: true });
      },
    });
    const copy = (cuts: boolean): void => {
      const text = Promise.withResolvers<string>();
      const copied = copyLater(text.promise);
      inputs.between(async () => {
        const selected = await browsers.selection(threadId);
        if (selected === null || selected.text === null || selected.text === '') {
          if (selected?.text === null) showError(words.tooLongToCopy(BROWSER_TEXT_CHARS));
          text.reject(new Error('Nothing is copied.'));
          return [];
        }
        text.resolve(selected.text);
        if (await copied) return cuts && selected.canCut ? DELETE : [];
        showError(words.notCopied);
        return [];
      });
    };
    const stopKeyboard = listenToKeyboard(field, {
      add,
      onLeave: () => latest.current.onLeave(),
      onTooLong: () => showError(words.tooLong(BROWSER_TEXT_CHARS)),
      onCopy: copy,
    });
    return () => {
      stopMouse();
      stopKeyboard();
    };
  }, [browsers, showError, threadId, picture, ref]);
  // Control may end elsewhere, while the page has the focus.
  useLayoutEffect(() => {
    const field = ref.current;
    return () => {
      if (document.activeElement === field) latest.current.onLeave();
    };
  }, [ref]);
  return (
    <textarea
      className="browser-keys"
      ref={ref}
      rows={1}
      aria-label={words.keys(title)}
      aria-describedby={LEAVE_HINT}
      autoComplete="off"
      autoCorrect="off"
      autoCapitalize="off"
      spellCheck={false}
    />
  );
}
