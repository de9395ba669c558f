import type { SkillContext } from '../../types.ts';
import { makeOutline, outlineText } from './outline.ts';
import type { Material, Outline, SlideTask } from './types.ts';

const CHANGES = 3;
const APPROVE = 'Yes, make these slides';
const ANOTHER = 'Make another outline';
/** Short agreements that are typed instead of chosen. */
const AGREES = /^(?:yes|ok|okay|fine|good|perfect|ja|passt|gut|oui|s[ií]|好的?|可以|是)\W*$/i;

/** The outline that the user agrees to, the task with what they said of it, and what was not as asked for. */
export interface ReviewedOutline {
  readonly outline: Outline;
  readonly task: SlideTask;
  readonly notes: readonly string[];
}

/** Asks the user about the outline, and lets the model change it, at most three times. */
export async function reviewOutline(
  start: { readonly outline: Outline; readonly task: SlideTask; readonly material: Material },
  context: SkillContext,
): Promise<ReviewedOutline> {
  let { outline, task } = start;
  if (!context.tools.has('ask_user')) {
    const notes = ['The outline was not reviewed: the user cannot be asked here.'];
    return { outline, task, notes };
  }
  for (let changes = 0; changes < CHANGES; changes += 1) {
    const { content } = await context.tools.call('ask_user', {
      question: `Is this outline right? If not, write what to change.\n\n${outlineText(outline)}`,
      options: [APPROVE, ANOTHER],
    });
    const wish = wishIn(content);
    if (wish === null) {
      const isOpen = !/^The user (?:chose|answered)/.test(content);
      return { outline, task, notes: isOpen ? ['The user did not answer about the outline.'] : [] };
    }
    context.progress('Changing the outline');
    // What the user says of it may bring facts.
    task = { ...task, request: `${task.request}\n\nThe user on the outline: ${wish}` };
    outline = await makeOutline({ task, material: start.material }, context, {
      ...{ before: outline, wish },
    });
  }
  const notes = [`The outline was changed ${CHANGES} times, and then taken as it was.`];
  return { outline, task, notes };
}

/** What the user wants changed; null for nothing. */
function wishIn(answer: string): string | null {
  const chosen = /^The user chose: ([\s\S]*)$/.exec(answer)?.[1];
  if (chosen !== undefined) return chosen === APPROVE ? null : 'Make another outline.';
  const said = /^The user answered: ([\s\S]*)$/.exec(answer)?.[1]?.trim() ?? '';
  return said === '' || AGREES.test(said) ? null : said;
}
