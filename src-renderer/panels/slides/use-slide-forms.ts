import { useMemo, useRef } from 'react';
import type { Slide } from '#contract/slides.ts';
import { useKept } from '../../components/use-kept.ts';
import { withEntry } from '../../store/app-state.ts';
import { alignForms, type SlideForm, type SlideForms } from '../../store/slide-form.ts';
import type { DeckFile } from './use-deck.ts';

const NO_FORMS: SlideForms = new Map();

/** The forms of a presentation that are open. What was typed stays until it is saved or discarded. */
export function useSlideForms(
  { threadId, path }: DeckFile,
  slides: readonly Slide[],
): {
  readonly forms: SlideForms;
  /** The form as it is now, after something was waited for. */
  readonly current: (slide: number) => SlideForm | null;
  readonly setForm: (slide: number, form: SlideForm | null) => void;
  /** Closes a form, wherever its slide is now. */
  readonly drop: (form: SlideForm) => void;
} {
  const [kept, setKept] = useKept(`slides ${threadId} ${path}`, NO_FORMS);
  const forms = useMemo(() => alignForms(kept, slides), [kept, slides]);
  const latest = useRef(forms);
  latest.current = forms;
  const keep = (next: SlideForms): void => setKept(next.size === 0 ? undefined : next);
  return {
    forms,
    current: (slide) => latest.current.get(slide) ?? null,
    setForm: (slide, form) => keep(withEntry(latest.current, slide, form)),
    drop: (form) => keep(new Map([...latest.current].filter(([, other]) => other !== form))),
  };
}
