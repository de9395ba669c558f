import { useCallback, useEffect, useRef, useState } from 'react';
import type { ErrorEnvelope } from '#contract/errors.ts';
import type { RequestOutput } from '#contract/requests.ts';
import type { Deck, OpenDeck } from '#contract/slides.ts';
import { useSession } from '../../session-context.ts';

export interface DeckFile {
  readonly threadId: string;
  readonly path: string;
}

export interface OpenedDeck {
  /** Null until it is open. */
  readonly open: OpenDeck | null;
  /** Why it could not be opened or saved the last time; null where it could. */
  readonly problem: ErrorEnvelope | null;
  readonly isSaving: boolean;
  /** Opens the file again; what is shown stays until then. */
  readonly reload: () => Promise<void>;
  /** Saves a changed deck; null where that failed, which `problem` says, or where a save is under way. */
  readonly save: (deck: Deck) => Promise<OpenDeck | null>;
  /** Puts the deck on a presentation of the task as its template; null as `save`. */
  readonly setTemplate: (path: string) => Promise<RequestOutput<'slides.template'> | null>;
}

interface Held {
  readonly open: OpenDeck | null;
  readonly problem: ErrorEnvelope | null;
}

const NOTHING: Held = { open: null, problem: null };

/** A presentation, opened again whenever `version` says that its file changed. */
export function useDeck({ threadId, path }: DeckFile, version: string): OpenedDeck {
  const { bridge } = useSession();
  const [held, setHeld] = useState<Held>(NOTHING);
  const [isSaving, setSaving] = useState(false);
  const isBusy = useRef(false);
  /** The file changed during a save, whose answer may be older. */
  const isMissed = useRef(false);
  /** The newest opening; the answer to an older one has nothing to say. */
  const asked = useRef(0);

  const adopt = useCallback((result: Answer<OpenDeck>): void => {
    const open = result.ok ? result.data : null;
    setHeld((before) => ({
      open: open ?? before.open,
      problem: result.ok ? null : result.error,
    }));
  }, []);

  const reload = useCallback(async (): Promise<void> => {
    if (isBusy.current) {
      isMissed.current = true;
      return;
    }
    asked.current += 1;
    const mine = asked.current;
    const result = await bridge.request('slides.open', { threadId, path });
    if (mine === asked.current) adopt(result);
  }, [adopt, bridge, threadId, path]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version opens again
  useEffect(() => void reload(), [reload, version]);

  const hash = held.open?.hash;
  /** One change of the file at a time. */
  const change = async <T>(
    request: (base: string) => Promise<Answer<T>>,
    openOf: (data: T) => OpenDeck,
  ): Promise<T | null> => {
    if (isBusy.current || hash === undefined) return null;
    isBusy.current = true;
    setSaving(true);
    // What is being opened is the file before.
    asked.current += 1;
    const result = await request(hash);
    adopt(result.ok ? { ok: true, data: openOf(result.data) } : result);
    isBusy.current = false;
    setSaving(false);
    if (isMissed.current) {
      isMissed.current = false;
      void reload();
    }
    return result.ok ? result.data : null;
  };
  const save = (deck: Deck) =>
    change(
      (base) => bridge.request('slides.save', { threadId, path, hash: base, deck }),
      (open) => open,
    );
  const setTemplate = (template: string) =>
    change(
      (base) => bridge.request('slides.template', { threadId, path, hash: base, template }),
      ({ open }) => open,
    );
  return { ...held, isSaving, reload, save, setTemplate };
}

type Answer<T> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly error: ErrorEnvelope };
