import {
  type Classification,
  type ClassifiedTask,
  complexRoute,
  quickRoute,
  researchRoute,
  simpleRoute,
  uncertainRoute,
} from './quick-route.ts';
import { complexityWords, placedParts } from './routing/complexity-words.ts';
import { deliverables } from './routing/deliverables.ts';
import { explicitSkill } from './routing/explicit-skill.ts';
import { readList } from './routing/listed-steps.ts';
import { plainlyOneStep } from './routing/plainly-one-step.ts';
import { productParts } from './routing/product.ts';
import { requestText } from './routing/request-text.ts';
import { findResearchRequest } from './routing/research-request.ts';
import { type Sentence, sentencesOf } from './routing/sentences.ts';
import { isSmallEdit } from './routing/small-edit.ts';
import type { Step } from './routing/step.ts';
import { chineseSteps } from './routing/steps-chinese.ts';
import { englishSteps } from './routing/steps-english.ts';

/** Steps in an explicit order need less weight than steps that are only listed. */
const IN_TURN_WEIGHT = 2;
const IN_ONE_SENTENCE = 3;
const IN_ALL = 4;
/** "Recipe for pancakes: mix flour, add milk. What is missing?" is a question about a list. */
const TITLED = /^[^,，:：]{2,50}[:：]/;

/**
 * Picks the route of a task by its words alone, without a model. About four in five tasks take one step,
 * and a plan costs a slow computer minutes, so a task without clear signs of more gets no plan.
 */
export function classify(task: ClassifiedTask): Classification {
  const { prompt, skills = [] } = task;
  const quick = quickRoute(task);
  if (quick !== null) return quick;

  const request = requestText(prompt);
  const list = readList(request);
  const around = list === null ? request : list.around;
  const sentences = sentencesOf(around);
  const orders = sentences.filter(({ isQuestion }) => !isQuestion);

  const skill = skillOf(orders, skills);
  if (skill !== null) return simpleRoute(`You asked for the skill "${skill}".`, skill);

  const isQuestionAboutIt = sentences.at(-1)?.isQuestion === true;
  const steps = orders.map((order) =>
    isQuestionAboutIt && TITLED.test(order.text) ? [] : stepsOf(order),
  );
  const researchWords = findResearchRequest(sentences);
  if (researchWords !== null && !isMoreThanReport(steps.flat())) {
    return researchRoute(`You asked for research: ${quote(researchWords)}.`);
  }
  if (list !== null && weigh(list.steps) >= IN_TURN_WEIGHT) {
    return complexRoute(`A list of ${list.steps.length} things to do: ${named(list.steps)}.`);
  }
  if (list === null && isSmallEdit(around, steps.flat()))
    return simpleRoute('One file to edit.', null);
  const several = severalSteps(steps);
  if (several !== null) return complexRoute(several);
  const parts = productParts(orders);
  if (parts !== null) return complexRoute(`A product of several parts: ${enumerated(parts)}.`);
  const placed = placedParts(orders.map(({ text }) => text));
  if (placed !== null) return complexRoute(`Several things to set up: ${enumerated(placed)}.`);
  for (const { text, isChinese } of orders) {
    const things = deliverables(text, isChinese);
    if (things !== null) return complexRoute(`Several things to make: ${enumerated(things)}.`);
    const words = complexityWords(text, isChinese);
    if (words !== null) return complexRoute(`Work of several parts: ${quote(words)}.`);
  }
  const hasMaterial = request.length < prompt.trim().length;
  const plain = plainlyOneStep({ request: around, hasMaterial, sentences, steps: steps.flat() });
  return plain === null ? uncertainRoute() : simpleRoute(plain, null);
}

function skillOf(orders: readonly Sentence[], skills: readonly string[]): string | null {
  for (const { text } of orders) {
    const skill = explicitSkill(text, skills);
    if (skill !== null) return skill;
  }
  return null;
}

function stepsOf({ text, isChinese }: Sentence): Step[] {
  return isChinese ? chineseSteps(text) : englishSteps(text);
}

/** Why these are several steps; null if they are not. */
function severalSteps(bySentence: readonly (readonly Step[])[]): string | null {
  const all = bySentence.flat();
  const ordered = all.filter(({ isThing }) => isThing !== true);
  const marked = all.filter(({ inTurn }) => inTurn).length;
  // "Do this, then that" may be small; "first this, then that" is a plan.
  const isFirstAndThen = marked > 1 || ordered.length > 2;
  const least = isFirstAndThen ? IN_TURN_WEIGHT : IN_ONE_SENTENCE;
  if (marked > 0 && ordered.length > 1 && weigh(all) >= least)
    return `Several steps in turn: ${named(all)}.`;
  const most = bySentence.find(
    (steps) =>
      weigh(steps) >= IN_ONE_SENTENCE ||
      (steps.filter(({ isThing }) => isThing !== true).length > 3 &&
        weigh(steps) >= IN_TURN_WEIGHT),
  );
  if (most !== undefined) return `Several things to do: ${named(most)}.`;
  return weigh(all) >= IN_ALL ? `Several things to do: ${named(all)}.` : null;
}

/** Research that leads to other work needs a plan; writing up the findings is part of research. */
function isMoreThanReport(steps: readonly Step[]): boolean {
  const others = steps.filter(
    ({ what, isThing }) =>
      isThing !== true &&
      !/^(?:research|summari[sz]e|write|find|compare|analy[sz]e|cite|list|give|survey|do|conduct|review|gather|collect|search|look|investigate|prepare|identify|explain|include|draft|compile|evaluate|recommend)\b|研究|调研|综述|总结|写|查|比较|对比|分析|给出|附|列|引用|整理|搜集|收集|了解|注明|归纳|提供|梳理|评估|撰写/i.test(
        what,
      ),
  );
  return others.some(({ inTurn }) => inTurn) && weigh(others) >= 1
    ? weigh(steps) >= 3
    : weigh(others) >= 3;
}

function weigh(steps: readonly Step[]): number {
  return steps.reduce((total, { weight }) => total + weight, 0);
}

function named(steps: readonly Step[]): string {
  return enumerated(steps.map(({ what }) => what));
}

function enumerated(texts: readonly string[]): string {
  const shown = texts.slice(0, 3).map(quote);
  return texts.length > 3 ? `${shown.join(', ')} …` : shown.join(', ');
}

/** A few words of the request in quotation marks. */
function quote(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  return `“${plain.length > 40 ? `${plain.slice(0, 39).trimEnd()}…` : plain}”`;
}
