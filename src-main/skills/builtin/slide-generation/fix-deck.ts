import type { SkillContext } from '../../types.ts';
import { type MakeJob, replaceSlides } from './make-deck.ts';
import type { Finding, GivenSlide, MadeDeck } from './types.ts';
import { type SlideJob, writeSlide } from './write-slide.ts';

/** Findings that no other words change. */
const BEYOND_WORDS: ReadonlySet<string> = new Set(['picture_blurred', 'picture_stretched']);

export interface FixedDeck {
  readonly deck: MadeDeck;
  /** Whether anything is better than before. */
  readonly isBetter: boolean;
  readonly notes: readonly string[];
}

/** What the model can fix. */
export function fixable({ findings }: MadeDeck): readonly Finding[] {
  return findings.filter(({ code }) => !BEYOND_WORDS.has(code));
}

/**
 * Lets the model write the slides with findings again, and checks them. A slide that did not become better is as before
 * at the end.
 */
export async function fixDeck(
  before: MadeDeck,
  { make, isRepeated, ...job }: SlideJob & { readonly make: MakeJob; readonly isRepeated: boolean },
  context: SkillContext,
): Promise<FixedDeck> {
  const changed = await rewritten(before, { ...job, isRepeated }, context);
  const unchanged = { deck: before, isBetter: false, notes: [] };
  if (changed.size === 0) return unchanged;
  const tried = await replaceSlides(before, { ...make, changed }, context);
  if (!tried.ok) return unchanged;
  const { deck } = tried;
  const failed = [...changed.keys()].filter(
    (index) => countOf(deck, index) >= countOf(before, index),
  );
  // A slide may be better at the cost of another, as with titles.
  const isWorse = failed.length === 0 && deck.findings.length >= before.findings.length;
  const back = isWorse ? [...changed.keys()] : failed;
  if (back.length === 0) return { deck, isBetter: true, notes: [] };
  const restored = await restore(deck, { before, places: back, make }, context);
  if (restored === null) {
    const named = back.map((index) => index + 1).join(', ');
    const notes = [`Slides that a repair did not make better could not be taken back: ${named}.`];
    return { deck, isBetter: false, notes };
  }
  if (restored.findings.length < before.findings.length || back.length === changed.size) {
    return {
      deck: restored,
      isBetter: restored.findings.length < before.findings.length,
      notes: [],
    };
  }
  const whole = { before, places: [...changed.keys()], make };
  return { ...unchanged, deck: (await restore(restored, whole, context)) ?? restored };
}

async function rewritten(
  deck: MadeDeck,
  { isRepeated, ...job }: SlideJob & { readonly isRepeated: boolean },
  context: SkillContext,
): Promise<ReadonlyMap<number, GivenSlide>> {
  const changed = new Map<number, GivenSlide>();
  for (const [index, slide] of deck.slides.entries()) {
    const problems = fixable(deck).filter((one) => one.slide === index);
    if (problems.length === 0) continue;
    context.progress(`Writing slide ${index + 1} again: ${slide.title}`);
    const fault = { slide, problems: problems.map(({ text }) => text), isRepeated };
    const again = (await writeSlide(index, job, { context, fault }))?.slide ?? slide;
    if (JSON.stringify(again) !== JSON.stringify(slide)) changed.set(index, again);
  }
  return changed;
}

async function restore(
  deck: MadeDeck,
  {
    before,
    places,
    make,
  }: { readonly before: MadeDeck; readonly places: readonly number[]; readonly make: MakeJob },
  context: SkillContext,
): Promise<MadeDeck | null> {
  const changed = new Map(
    places.flatMap((index) => {
      const slide = before.slides[index];
      return slide === undefined ? [] : [[index, slide] as const];
    }),
  );
  const restored = await replaceSlides(deck, { ...make, changed }, context);
  return restored.ok ? restored.deck : null;
}

/** How much the check finds on the slide at this place. */
export function countOf({ findings }: MadeDeck, index: number): number {
  return findings.filter(({ slide }) => slide === index).length;
}
