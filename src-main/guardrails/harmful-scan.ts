import { plain } from './normalise.ts';
import { createMatcher, pattern } from './pattern.ts';
import type { Finding, Scanner } from './scanner.ts';

const MAKING =
  '‹(?:build|make|making|building|assemble|construct|synthesi[sz]e|synthesi[sz]ing|cook|produce|cultivate|weaponi[sz]e|culture|manufacture|prepare)›';
const WEAPONS =
  '‹(?:(?<!bath |seed |cherry |photo |logic |fork )bombs?|explosive device|ied|molotov cocktails?|sarin|vx|nerve agent|ricin|anthrax|meth|methamphetamine|mustard gas|fentanyl|nerve gas)›';

export const HARMFUL_RULES = [
  {
    rule: 'harmful_weapon',
    message: 'Explains how to make a weapon or a drug.',
    patterns: [
      pattern(
        `(?:‹how to›|‹steps?›|‹instructions?›|‹recipe›|‹guide›|‹first›|‹to›|‹you (?:can|need)›)…20${MAKING}…25${WEAPONS}`,
      ),
      pattern(
        '(?:制作|制造|合成|製作|配制)(?:炸弹|炸彈|冰毒|毒品|沙林|炸药|毒气)的?(?:方法|步骤|步驟|教程|配方)',
      ),
    ],
  },
  {
    rule: 'harmful_self',
    message: 'Encourages self-harm.',
    patterns: [
      pattern(
        '(?<=^ ?|[.!?,;:"] ?|‹you should |‹just |‹go )(?:kill yourself›(?! ?(?:process|job))|end your (?:own )?life›)',
      ),
    ],
  },
] as const;

const match = createMatcher<(typeof HARMFUL_RULES)[number]>(HARMFUL_RULES);

/**
 * Characters and single words that every rule needs: a sentence without any is not scanned. Single words,
 * so that a stream never splits them.
 */
const TRIGGERS =
  /bomb|explosive|\bied\b|molotov|sarin|\bvx\b|nerve|ricin|anthrax|\bmeth|mustard|fentanyl|\bkill\b|\blife\b|[炸毒沙]/i;

/** Index of the first trigger in a sentence, which must then be read to its end; -1 if there is none. */
export function triggerAt(text: string): number {
  return text.search(TRIGGERS);
}

/** Harmful text of a model. The rules are few and narrow, because matches are not shown. */
export const scanHarmful: Scanner = (text) => {
  const form = plain(text);
  return match(form).map(({ rule, message }): Finding => ({ rule, message, weight: 'certain' }));
};
