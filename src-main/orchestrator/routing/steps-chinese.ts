import type { Step } from './step.ts';
import { isChineseThing } from './thing.ts';
import { ACTIONS, CHINESE_ACTION, CHINESE_LIGHT, LIGHT } from './verbs.ts';

const CLAUSES =
  /[，,；;：:、。！!？?]+|(?=然后|接着|随后|最后(?!的|一))|并且|(?<=.{2})并(?=[^不非未行发列排存])/;
const IN_TURN =
  /^(?:第[一二三四五六七八九十\d]{1,2}步|步骤[一二三四五六七八九十\d]{1,2}|首先|其次|再次|先|再|然后|接着|接下来|随后|之后|完成后|做完后|最后|最终|紧接着|\d{1,2}[.)）、]|(?:first|then|next|after that|finally|lastly|(?:step|phase) \d)(?![\w-]))[\s,，:：]*/i;
const PREFIX =
  /^(?:请你?|帮我|帮忙|帮|麻烦你?|你|您|我想(?:要|请你)?|我要|我需要|我们要|我希望你?|需要|能不能|可以|能|给我|为我|替我|并且?|并|重新|还要|还|也|同时|要|以及|而且|一起|分别|逐[个一项份条篇]|自动|(?:结果|数据)(?=[写存导保汇])|每[天周月晚](?:早上|晚上|上午|下午|早|晚)?|都|用[^，]{1,12}?(?=搭|写|做|画|建)|老板要求|要求|任务是|今天要)+/;
/** 先 after a subject describes what someone does. */
const NARRATES =
  /^(?!请|帮|能|可|麻烦|你|您|我想|我要|我需要|要求|老板要求|任务|需要)[^先]{1,12}(?<!首|事|优|预|率)先(?!生|进|前)/;
const MAKES_A_PROGRAM =
  /(?:写|编写|做|生成|给我|实现)(?:一个|一段|个|段|一条|条|一份)?.{0,15}(?:脚本|函数|程序|代码|正则|查询|宏|公式|命令|SQL|Dockerfile|GitHub Action|Makefile|配置文件|测试用例)/i;
/** The behaviour of the program follows a colon, or a 先 after it. */
const DETAILS =
  /^[^，,。]{2,40}[：:]|^(?!(?:请|帮我|你|麻烦)*(?:先|首先|第一))[^，,。]{2,40}[，,]\s*(?:首?先|它要?先)/;
const CREATIVE =
  /^(?:请|帮我|给我|为我)*(?:写|讲|编|续写|创作).{0,20}(?:故事|笑话|童话|诗|小说|剧本|歌词|寓言)/;
/** The parts of one thing: not steps, though some items are verbs elsewhere. */
const CONTENT =
  /(?:包含|包括|涵盖|分为|写明|写清楚?|注明|提到|支持|具有|要有|有|会)(?![了没])[^，,。；;：:]*、[^，,。；;]*/g;
/** "把文档、脚本、测试列成一张表": several objects of one action. */
const OBJECTS =
  /(?<=^|[，,；;])(?:请|帮我)?(?:把|将|用|从|对|根据|参考|结合)[^，,。；;：:]*、[^，,。；;：:]*/g;
const VERB_LATE = /(?:成|到|进|为|给|出来|起来)/;

function withoutPauses(clause: string): string {
  const items = clause.split('、');
  const [first = ''] = items;
  const last = items.at(-1) ?? '';
  const isAllThings = items.slice(1).every((item) => weightIn(item.trim()) === 0);
  if (isAllThings) return clause.replaceAll('、', '和');
  return VERB_LATE.test(last) && !VERB_LATE.test(first) && !handlesAction(first)
    ? clause.replaceAll('、', '和')
    : clause;
}

/** The object before the verb: "路由也一起换掉", "测试迁过去". */
const VERB_BEHIND =
  /^[^，]{1,16}?(?:(?:一起|一并|也|都|全部?|统统|逐个|分别|各|重新)[^，]{0,4})?(?:换|改|迁|挪|搬|修|补|删|拆|配|跑|升|清|填|备份|转|移|合|测|调|接|整理|更新|写|画|做|装|建|核对|部署)(?:掉|过去|过来|好|完|上|绿|通|齐|出来|起来|一遍|到位|成[^，]{1,8})$/;
/** Sent to someone, or placed on a machine: "第二台装 Redis", "告警发到钉钉". */
const SENT_OR_PLACED =
  /^[^，]{1,10}(?:发到|发给|推到|推送到|存到|存进|写入|接到|部署到)[^，]{1,12}$|^[^，]{1,8}[台个机器]\s?(?:装|放|跑|部署)\s?\S/;
/** "建个虚拟环境", "加个标题": the wording marks it as small. */
const SMALL = /^[建加装开配]个/;
const SMALL_WEIGHT = 0.5;
const THING_WEIGHT = 0.75;
const HANDLED = /^(?:把|将|对|从|在|按|按照|根据|给|为|向|用|使用|基于)/;

/** The steps that a Chinese sentence asks for. */
export function chineseSteps(sentence: string): Step[] {
  const steps: Step[] = [];
  let isProgram = false;
  /** The previous clause announced the next step: "第一步，…". */
  let isMarked = false;
  // After a colon, everything describes what the program does.
  const isInDetail = DETAILS.test(sentence);
  const isStory = CREATIVE.test(sentence);
  let isContent = false;
  for (const clause of sentence
    .replace(CONTENT, '')
    .replace(OBJECTS, withoutPauses)
    .split(CLAUSES)) {
    const text = clause.trim();
    // A narrative contains no steps from here on.
    if (NARRATES.test(text)) return isStory ? steps.slice(0, 1) : [];
    const step = readClause(text, { isMarked, isAmongSteps: steps.length > 0 });
    isMarked = IN_TURN.exec(text)?.[0] === text;
    if (isProgram && steps.length > 0 && (isInDetail || step?.inTurn !== true)) continue;
    if (step !== null) {
      if (steps.length === 0) isProgram = MAKES_A_PROGRAM.test(text.slice(0, 60));
      isContent = SAYS_WHAT.test(text);
      steps.push(step);
    }
    if (steps.length > 0 && !isContent) steps.push(...thingsBesides(text, step !== null));
  }
  return steps;
}

/** Letters and notes: the things named after them are their content. */
const SAYS_WHAT =
  /(?:写|发|起草|拟).{0,10}(?:信|邮件|通知|短信|消息|朋友圈|条|启事|邀请函|假条|说明|议程)$|提到|谈到|写明|介绍|关于/;

/** "…和一份清单": an additional thing for the step before it. */
function thingsBesides(clause: string, isOrder: boolean): Step[] {
  if (HANDLED.test(clause.replace(PREFIX, ''))) return [];
  const items = clause.split(/以及|还有|和|及|跟/).map((item) => item.trim());
  return items
    .slice(isOrder ? 1 : 0)
    .filter((item) => isChineseThing(item) && !/^(?:这|那|我的|你的|他的|上面|原来)/.test(item))
    .map((what) => ({ what, weight: THING_WEIGHT, inTurn: false, isThing: true }));
}

function readClause(
  clause: string,
  { isMarked, isAmongSteps }: { readonly isMarked: boolean; readonly isAmongSteps: boolean },
): Step | null {
  let rest = clause;
  let inTurn = isMarked;
  for (let i = 0; i < 3; i += 1) {
    const turn = IN_TURN.exec(rest)?.[0] ?? '';
    if (turn !== '') inTurn = true;
    rest = rest.slice(turn.length).replace(PREFIX, '').trimStart();
  }
  const weight =
    weightIn(rest) ||
    (MADE_OF.test(rest) || BECOMES.test(rest) ? 1 : 0) ||
    (isAmongSteps && isBehind(rest) ? 1 : 0);
  // 了 after a verb: already done.
  if (weight === 0 || /^[^，]{1,4}了(?!解)/.test(rest)) return null;
  return { what: rest, weight, inTurn };
}

/** "财务模型做三个情景": the object comes first, and a count follows the verb. */
const MADE_OF =
  /^(?![^，]{0,4}[我他她它们])[^，]{2,10}(?:做|写|加|画|配|建)(?:出)?(?:一|两|三|四|五|几|\d{1,2})[个份套张篇段条]/;

/** "论文改成海报": turns one thing into another. */
const BECOMES =
  /^(?![^，]{0,4}[我他她它们])[^，]{2,12}(?:改|做|转|翻译?|译|整理|改编|重画|剪)成[^，]{1,14}$|^[^，]{1,8}重[新]?[画写做排拍录]$/;

function isBehind(clause: string): boolean {
  if (clause.length > 48) return false;
  if (latinWeight(LATIN_BEHIND.exec(clause)?.[1]) === 1) return true;
  return clause.length <= 28 && (VERB_BEHIND.test(clause) || SENT_OR_PLACED.test(clause));
}

/** "fix 掉 failing 的", "deploy 到 Vercel": an English verb in a Chinese sentence. */
const LATIN =
  /^([a-z]+(?: up| out)?)(?![\w./-])\s*(?!的|里|中|上|下(?!来|载)|是|有|和|与|怎么|为什么)/i;
/** "大文件 move 到 external drive": the verb after its object. */
const LATIN_BEHIND = /^[^，]{1,16}?\s?\b([a-z]+)\s?(?:到|成|掉|一下|出来|起来|过来|过去|完|好|给)/i;

function latinWeight(verb: string | undefined): number {
  const word = verb?.toLowerCase().split(' ')[0] ?? '';
  if (LIGHT.has(word)) return 0.25;
  return ACTIONS.has(word) ? 1 : 0;
}

function weightIn(text: string): number {
  const latin = latinWeight(LATIN.exec(text)?.[1]);
  if (latin > 0) return latin;
  if (CHINESE_LIGHT.test(text) && !/^用/.test(text)) return 0.25;
  if (CHINESE_ACTION.test(text)) return SMALL.test(text) ? SMALL_WEIGHT : 1;
  if (!HANDLED.test(text)) return 0;
  if (handlesAction(text)) return 1;
  // 把 always introduces an action.
  return /^(?:把|将).{4,}/.test(text) ? 1 : 0;
}

/** Whether an action follows "把 …" or "用 …". */
function handlesAction(text: string): boolean {
  for (let i = 1; i < Math.min(text.length, 40); i += 1) {
    if (CHINESE_ACTION.test(text.slice(i, i + 20))) return true;
  }
  // "给我的 app 加 auth" has a Chinese verb; "把 tests port 过来", "对 API do load testing" have an English one.
  return [...text.slice(0, 60).matchAll(/\b[a-z]+\b/gi)].some(([word]) => latinWeight(word) === 1);
}
