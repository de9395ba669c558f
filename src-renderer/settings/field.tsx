import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import type { Settings } from '#contract/settings.ts';
import { Disabled, LockNote, namesOf, useLock } from '../components/locked.tsx';
import { useKept } from '../components/use-kept.ts';
import { useApp, useSession } from '../session-context.ts';
import { settingsStrings } from '../strings/settings.ts';

const SAVED_MS = 1500;

/** True for a moment after each save. */
function useSavedMark(): readonly [boolean, (saved: boolean) => void] {
  const [saved, setSaved] = useState(false);
  useEffect(() => {
    if (!saved) return;
    const timer = setTimeout(() => setSaved(false), SAVED_MS);
    return () => clearTimeout(timer);
  }, [saved]);
  return [saved, setSaved];
}

/** Saves one setting and keeps the error message for its field. */
export function useSaving(): {
  readonly problem: string | null;
  readonly saved: boolean;
  readonly save: (changes: Partial<Settings>) => Promise<boolean>;
} {
  const { settings } = useSession();
  const [problem, setProblem] = useState<string | null>(null);
  const [saved, setSaved] = useSavedMark();
  return {
    problem,
    saved,
    save: async (changes) => {
      const refusal = await settings.update(changes);
      setProblem(refusal?.message ?? null);
      setSaved(refusal === null);
      return refusal === null;
    },
  };
}

/** The settings; the dialog is only shown once they are there. */
export function useSettings(): Settings {
  const settings = useApp((state) => state.settings);
  if (settings === null) throw new Error('The settings are not loaded yet');
  return settings;
}

/** Ties a control to its label and its note. */
interface FieldIds {
  readonly id: string;
  readonly describedBy: string;
}

/**
 * Brings a setting to the user who asked for it by its label: its control has the focus then, or the place itself,
 * where that can have it.
 */
export function useAskedFor<Element extends HTMLElement>(label: string): RefObject<Element | null> {
  const place = useRef<Element>(null);
  const isAskedFor = useApp((state) => state.settingsField === label);
  useEffect(() => {
    if (!isAskedFor) return;
    const found = place.current;
    found?.scrollIntoView({ block: found.clientHeight > innerHeight / 2 ? 'start' : 'center' });
    const control =
      found?.querySelector<HTMLElement>(
        'input:checked, input:not([type=radio]), select, textarea, button',
      ) ?? found?.querySelector<HTMLElement>('input');
    const target = found?.hasAttribute('tabindex') === true ? found : control;
    target?.focus({ preventScroll: true });
  }, [isAskedFor]);
  return place;
}

/** A part of a page under its heading, which the command palette leads to. */
export function SettingsGroup({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}): ReactNode {
  const place = useAskedFor<HTMLElement>(title);
  return (
    <section ref={place} className="settings-group" aria-label={title} tabIndex={-1}>
      <h4>{title}</h4>
      {children}
    </section>
  );
}

/** A label, a control, and below it either its refusal or a hint. */
export function Field({
  label,
  hint,
  problem,
  saved = false,
  settings = [],
  children,
}: {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly problem: string | null;
  readonly saved?: boolean;
  /** The settings that it changes: if one is locked, it is disabled and says by whom. */
  readonly settings?: readonly string[];
  readonly children: (ids: FieldIds) => ReactNode;
}): ReactNode {
  const id = useId();
  const place = useAskedFor<HTMLDivElement>(label);
  const describedBy = `${id}-note`;
  const lock = useLock(settings);
  return (
    <div ref={place} className="field" data-invalid={problem !== null}>
      <label className="field-label" htmlFor={id}>
        {label}
        {saved && (
          <span className="saved" role="status">
            {settingsStrings.saved}
          </span>
        )}
      </label>
      <Disabled lock={lock}>{children({ id, describedBy })}</Disabled>
      {lock === null ? (
        <p id={describedBy} className="field-note" role={problem === null ? undefined : 'alert'}>
          {problem ?? hint ?? ''}
        </p>
      ) : (
        <LockNote id={describedBy} text={lock} />
      )}
    </div>
  );
}

/** The text input of a `Field`. */
export function TextInput({
  ids: { id, describedBy },
  onText,
  ...input
}: Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'type' | 'placeholder' | 'inputMode' | 'maxLength' | 'spellCheck' | 'aria-invalid'
> & {
  readonly ids: FieldIds;
  readonly ref?: Ref<HTMLInputElement>;
  readonly value: string;
  readonly onText: (text: string) => void;
}): ReactNode {
  return (
    <input
      {...input}
      id={id}
      className="text-input"
      aria-describedby={describedBy}
      onChange={(event) => onText(event.target.value)}
    />
  );
}

/** A setting as text, while it is edited. */
interface TypedSetting {
  readonly text: string;
  readonly problem: string | null;
  readonly saved: boolean;
  readonly setText: (text: string) => void;
  readonly commit: () => void;
}

/**
 * Edits a setting as text. `commit` saves it, and so does leaving the page or the settings. What is not saved stays,
 * on another page and in closed settings too, and no change from elsewhere takes its place.
 */
export function useTypedSetting({
  label,
  value,
  toChanges,
  onSaved,
}: {
  readonly label: string;
  readonly value: string;
  readonly toChanges: (text: string) => Partial<Settings>;
  readonly onSaved?: (() => void) | undefined;
}): TypedSetting {
  const { settings, kept, showError } = useSession();
  const [saved, setSaved] = useSavedMark();
  const name = `setting ${label}`;
  const [typed, setTyped] = useKept<{
    readonly text: string;
    readonly problem: string | null;
  } | null>(name, null);
  const sent = useRef<string | null>(null);
  const left = useRef(false);
  const commit = async (): Promise<void> => {
    if (typed === null || sent.current === typed.text) return;
    sent.current = typed.text;
    const refusal = await settings.update(toChanges(typed.text));
    sent.current = null;
    // What was typed since then is another text.
    if (kept.get().get(name) === typed) {
      setTyped(refusal === null ? undefined : { ...typed, problem: refusal.message });
    }
    setSaved(refusal === null);
    if (refusal === null) onSaved?.();
    else if (left.current) showError(settingsStrings.notSaved(label, refusal.message));
  };
  const latest = useRef(commit);
  useEffect(() => {
    latest.current = commit;
  });
  useEffect(() => {
    left.current = false;
    return () => {
      left.current = true;
      void latest.current();
    };
  }, []);
  return {
    text: typed?.text ?? value,
    problem: typed?.problem ?? null,
    saved,
    setText: (text) =>
      setTyped(text === value ? undefined : { text, problem: typed?.problem ?? null }),
    commit: () => void commit(),
  };
}

/** A text setting, saved on blur or Enter. A refused value stays in the field, to be corrected. */
export function TextSetting({
  label,
  hint,
  value,
  placeholder,
  inputMode,
  suggestions = [],
  toChanges,
  onSaved,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly inputMode?: 'numeric' | 'decimal' | 'url';
  /** Values that the user may choose from; any other can be typed as well. */
  readonly suggestions?: readonly string[];
  readonly toChanges: (text: string) => Partial<Settings>;
  readonly onSaved?: () => void;
}): ReactNode {
  const listId = useId();
  const { text, problem, saved, setText, commit } = useTypedSetting({
    ...{ label, value, onSaved },
    toChanges: (typed) => toChanges(typed.trim()),
  });
  return (
    <Field
      label={label}
      problem={problem}
      saved={saved}
      hint={hint}
      settings={namesOf(toChanges(text))}
    >
      {({ id, describedBy }) => (
        <>
          <input
            id={id}
            className="text-input"
            aria-describedby={describedBy}
            aria-invalid={problem !== null}
            value={text}
            placeholder={placeholder}
            inputMode={inputMode}
            spellCheck={false}
            list={suggestions.length > 0 ? listId : undefined}
            onChange={(event) => setText(event.target.value)}
            onBlur={commit}
            onKeyDown={(event) => {
              if (event.key === 'Enter') commit();
            }}
          />
          {suggestions.length > 0 && (
            <datalist id={listId}>
              {suggestions.map((suggestion) => (
                <option key={suggestion} value={suggestion} />
              ))}
            </datalist>
          )}
        </>
      )}
    </Field>
  );
}

/** One of a few values, saved when it is chosen. */
export function ChoiceSetting<Value extends string>({
  label,
  value,
  choices,
  toChanges,
}: {
  readonly label: string;
  readonly value: Value;
  readonly choices: Readonly<Record<Value, string>>;
  readonly toChanges: (value: Value) => Partial<Settings>;
}): ReactNode {
  const { problem, saved, save } = useSaving();
  // Shown at once, so that a choice does not jump back while main saves it.
  const [wanted, setWanted] = useState<Value | null>(null);
  const choose = async (candidate: Value): Promise<void> => {
    setWanted(candidate);
    await save(toChanges(candidate));
    setWanted((now) => (now === candidate ? null : now));
  };
  const values = Object.keys(choices) as Value[];
  const place = useAskedFor<HTMLFieldSetElement>(label);
  const lock = useLock(namesOf(toChanges(value)));
  return (
    <fieldset
      ref={place}
      className="choice"
      data-invalid={problem !== null}
      disabled={lock !== null}
    >
      <legend className="field-label">
        {label}
        {saved && (
          <span className="saved" role="status">
            {settingsStrings.saved}
          </span>
        )}
      </legend>
      {values.map((candidate) => (
        <label key={candidate} className="choice-option">
          <input
            type="radio"
            name={label}
            checked={candidate === (wanted ?? value)}
            onChange={() => void choose(candidate)}
          />
          {choices[candidate]}
        </label>
      ))}
      {lock !== null && <LockNote text={lock} />}
      {problem !== null && (
        <p className="field-note" role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}

/**
 * The number in a text. Anything else is passed on unchanged, so that main, which knows the bounds,
 * refuses it with its own message.
 */
export function toNumber(text: string): number {
  const number = Number(text);
  return text === '' || Number.isNaN(number) ? (text as unknown as number) : number;
}
