import type { Step } from './step.ts';
import { CHINESE_ACTION, CHINESE_LIGHT } from './verbs.ts';

const CLAUSES =
  /[，,；;：:、。！!？?]+|(?=然后|接着|随后|最后(?!的|一))|并且|(?<=.{2})并(?=[^不非未行发列排存])/;
const IN_TURN =
  /^(?:第[一二三四五六七八九十\d]{1,2}步|步骤[一二三四五六七八九十\d]{1,2}|首先|其次|再次|先|再|然后|接着|接下来|随后|之后|完成后|做完后|最后|最终|紧接着|\d{1,2}[.)）、])[\s,，:：]*/;
const PREFIX =
  /^(?:请你?|帮我|帮忙|帮|麻烦你?|你|您|我想(?:要|请你)?|我要|我需要|我们要|我希望你?|需要|能不能|可以|能|给我|为我|替我|并且?|并|重新|还要|还|也|同时|要|以及|而且|一起|分别|逐[个一项份条篇]|自动|(?:结果|数据)(?=[写存导保汇])|每[天周月](?:早上|晚上|上午|下午|早|晚)?|都|用[^，]{1,12}?(?=搭|写|做|画|建)|老板要求|要求|任务是|今天要)+/;
/** 先 behind a subject tells what somebody does. */
const TELLS =
  /^(?!请|帮|能|可|麻烦|你|您|我想|我要|我需要|要求|老板要求|任务|需要)[^先]{1,12}(?<!首|事|优|预|率)先(?!生|进|前)/;
const MAKES_A_PROGRAM =
  /(?:写|编写|做|生成|给我|实现)(?:一个|一段|个|段|一条|条|一份)?.{0,15}(?:脚本|函数|程序|代码|正则|查询|宏|公式|命令|SQL)/i;
/** What the program does begins behind a colon, or with a 先 that comes after it. */
const DETAILS =
  /^[^，,。]{2,40}[：:]|^(?!(?:请|帮我|你|麻烦)*(?:先|首先|第一))[^，,。]{2,40}[，,]\s*(?:首?先|它要?先)/;
const CREATIVE =
  /^(?:请|帮我|给我|为我)*(?:写|讲|编|续写|创作).{0,20}(?:故事|笑话|童话|诗|小说|剧本|歌词|寓言)/;
const HANDLED = /^(?:把|将|对|从|在|按|按照|根据|给|为|向|用|使用|基于)/;

/** The orders of a Chinese sentence. */
export function chineseSteps(sentence: string): Step[] {
  const steps: Step[] = [];
  const isProgram = MAKES_A_PROGRAM.test(sentence.slice(0, 60));
  /** The words before it said that this one comes in turn: "第一步，…". */
  let isMarked = false;
  // Behind a colon all of it is what the program does.
  const isInDetail = DETAILS.test(sentence);
  const isStory = CREATIVE.test(sentence);
  for (const clause of sentence.split(CLAUSES)) {
    const text = clause.trim();
    // What somebody does, or did, is no order, and neither is what they do after that.
    if (TELLS.test(text)) return isStory ? steps.slice(0, 1) : [];
    const step = readClause(text, isMarked);
    isMarked = IN_TURN.exec(text)?.[0] === text;
    if (step === null) continue;
    if (isProgram && steps.length > 0 && (isInDetail || !step.inTurn)) continue;
    steps.push(step);
  }
  return steps;
}

function readClause(clause: string, isMarked: boolean): Step | null {
  let rest = clause;
  let inTurn = isMarked;
  for (let i = 0; i < 3; i += 1) {
    const turn = IN_TURN.exec(rest)?.[0] ?? '';
    if (turn !== '') inTurn = true;
    rest = rest.slice(turn.length).replace(PREFIX, '').trimStart();
  }
  const weight = weightIn(rest);
  // "了" behind a verb: it is over.
  if (weight === 0 || /^[^，]{1,4}了(?!解)/.test(rest)) return null;
  return { what: rest, weight, inTurn };
}

function weightIn(text: string): number {
  if (CHINESE_LIGHT.test(text) && !/^用/.test(text)) return 0.25;
  if (CHINESE_ACTION.test(text)) return 1;
  if (!HANDLED.test(text)) return 0;
  for (let i = 1; i < Math.min(text.length, 40); i += 1) {
    const rest = text.slice(i, i + 20);
    if (CHINESE_ACTION.test(rest)) return 1;
  }
  // 把 always leads to something that is done.
  return /^(?:把|将).{4,}/.test(text) ? 1 : 0;
}
