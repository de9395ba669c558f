import { Save } from 'lucide-react';
import { type FormEvent, type ReactNode, type RefObject, useEffect, useState } from 'react';
import type { Slide } from '#contract/slides.ts';
import { Button } from '../../components/button.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { checkSlide, type SlotProblems } from '../../store/check-slide.ts';
import { isOutdated, isTyped, type SlideForm } from '../../store/slide-form.ts';
import { appStrings } from '../../strings/app.ts';
import { slideStrings } from '../../strings/slides.ts';
import { SlotField } from './slot-field.tsx';

const words = slideStrings.form;

interface SlideEditorProps {
  readonly ref: RefObject<HTMLFormElement | null>;
  /** From 0. */
  readonly index: number;
  /** As the presentation has it now. */
  readonly slide: Slide;
  readonly form: SlideForm;
  readonly isSaving: boolean;
  readonly takesFocus: boolean;
  readonly onChange: (form: SlideForm) => void;
  /** Saves what was typed, once the contract accepts it. */
  readonly onSave: (slide: Slide) => void;
  readonly onDiscard: () => void;
}

const NO_PROBLEMS: SlotProblems = new Map();

/** The text of a slide, slot by slot. What cannot be saved says so at its slot. */
export function SlideEditor(props: SlideEditorProps): ReactNode {
  const {
    ref: element,
    index,
    slide,
    form,
    isSaving,
    takesFocus,
    onChange,
    onSave,
    onDiscard,
  } = props;
  const [problems, setProblems] = useState(NO_PROBLEMS);
  const typed = isTyped(form);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it opens
  useEffect(() => {
    if (takesFocus) element.current?.querySelector<HTMLElement>('input, textarea')?.focus();
  }, []);
  // The first slot that is refused has the focus.
  useEffect(() => {
    if (problems.size === 0) return;
    element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems, element]);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isSaving) return;
    const checked = checkSlide(form);
    setProblems(checked.ok ? NO_PROBLEMS : checked.problems);
    if (checked.ok) onSave(checked.slide);
  };
  return (
    <form
      ref={element}
      className="slide-form"
      aria-label={words.title(index + 1)}
      onSubmit={submit}
    >
      <header className="row">
        <h3>{words.title(index + 1)}</h3>
        <span className="muted" role="status">
          {typed ? slideStrings.unsaved : ''}
        </span>
      </header>
      {isOutdated(form, slide) && (
        <p className="banner" data-tone="warning" role="alert">
          {words.outdated}
        </p>
      )}
      {Object.entries(form.slots).map(([name, slot]) => (
        <SlotField
          key={name}
          {...{ form, name, slot }}
          problem={problems.get(name) ?? null}
          onChange={(next) => {
            onChange({ ...form, slots: { ...form.slots, [name]: next } });
            if (problems.has(name)) {
              setProblems(new Map([...problems].filter(([other]) => other !== name)));
            }
          }}
        />
      ))}
      <p className="field-note" data-invalid="true" role="alert">
        {problems.size > 0 && words.refused}
      </p>
      <div className="row">
        <Button type="submit" size="small" variant="primary" aria-disabled={isSaving}>
          {isSaving ? <Spinner /> : <Save aria-hidden="true" size={14} />}
          {words.save}
        </Button>
        <Button size="small" variant="ghost" onClick={onDiscard}>
          {typed ? words.discard : appStrings.cancel}
        </Button>
      </div>
    </form>
  );
}
