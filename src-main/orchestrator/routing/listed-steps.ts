import { isTextTask } from './request-text.ts';
import { sentencesOf } from './sentences.ts';
import type { Step } from './step.ts';
import { chineseSteps } from './steps-chinese.ts';
import { englishSteps } from './steps-english.ts';

const ITEM =
  /^\s{0,8}(?:[-*•+–]\s+|\d{1,2}\s?[.)）、:：]\s*|[a-h][.)]\s+|[一二三四五六七八九十]{1,2}[、.]\s*|第[一二三四五六七八九十]{1,2}步[:：,，]?\s*|step \d{1,2}\s*[:.)-]?\s*|\[[ x]\]\s+)/i;
/** Work on the list itself rather than on its items. */
const ON_THE_LIST =
  /\b(?:this|these|the following|the) (?:\w+ ){0,2}(?:list|items|names|words|steps|lines|entries|numbers|sentences|notes|tasks|terms)\b|这些|这个列表|这份清单|下面的(?:步骤|列表|名单)/i;
const DO_THEM =
  /\b(?:do|complete|carry out|perform|execute|follow|handle|work through|go through|finish|take care of|run)\b|完成|执行|处理|照着|按照|做完|依次|办/i;

export interface ListReading {
  /** The steps among the items; empty if the list is data. */
  readonly steps: readonly Step[];
  /** The request without its list. */
  readonly around: string;
}

/** Reads the list of a request, whose items may be steps. Null if there is no list. */
export function readList(request: string): ListReading | null {
  const lines = request.split('\n');
  const items = lines.filter((line) => ITEM.test(line));
  if (items.length < 2) return null;
  const first = lines.findIndex((line) => ITEM.test(line));
  const last = lines.findLastIndex((line) => ITEM.test(line));
  const head = lines.slice(0, first).join('\n').trim();
  const tail = lines
    .slice(last + 1)
    .join('\n')
    .trim();
  const around = `${head}\n${tail}`.trim();
  if (isAboutTheList(head) || (tail !== '' && isAboutTheList(tail))) return { steps: [], around };
  const steps = items.flatMap((item) => itemStep(item.replace(ITEM, '')) ?? []);
  // If only a few items look like steps, they do so by chance.
  const isOrders = steps.length >= 2 && steps.length * 2 > items.length;
  return { steps: isOrders ? steps : [], around };
}

function isAboutTheList(text: string): boolean {
  if (text === '') return false;
  const sentences = sentencesOf(text);
  const closest = sentences.at(-1)?.text ?? '';
  if (sentences.some(({ isQuestion }) => isQuestion)) return true;
  if (DO_THEM.test(closest) && !isTextTask(closest)) return false;
  return isTextTask(closest) || ON_THE_LIST.test(closest);
}

function itemStep(item: string): Step | null {
  const sentence = sentencesOf(item)[0];
  if (sentence === undefined || sentence.isQuestion) return null;
  const steps = sentence.isChinese ? chineseSteps(sentence.text) : englishSteps(sentence.text);
  return steps[0] ?? null;
}
