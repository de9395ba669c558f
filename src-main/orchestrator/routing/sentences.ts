/** A sentence of a request. */
export interface Sentence {
  readonly text: string;
  readonly isChinese: boolean;
  /** A question: the steps that it mentions are not to be done. */
  readonly isQuestion: boolean;
}

/** Longer sentences are cut. */
const LONGEST = 800;
const HAN = /[\u3400-\u9fff]/;
/** A full stop within a number, a URL or a file name does not end a sentence. */
const ENDS = /(?<=[!?。！？；;])|(?<=\.)(?<!(?:^|\s)\d{1,2}\.)(?=\s)|\n+/;

const POLITE =
  /^(?:(?:hi|hey|hello|ok|okay|so|now|and|also|well|great|thanks|alright)\b[\s,!.]*)*(?:please\b|pls\b|(?:can|could|would|will) you\b|would you mind\b|may i ask you to\b|(?:can|could) we\b|let'?s\b)/i;
const ASKS =
  /^(?:(?:hi|hey|hello|ok|okay|so|and|but|also|well|then|now)\b[\s,!.]*)*(?:how|what|what's|whats|why|who|who's|whose|whom|which|where's|is|are|was|were|am|does|did|has|have|had|should|isn't|aren't|doesn't|don't you|do (?:you|we|they|i|people|these|those|the|my)|can (?:i|it|we|this|that|one|the|a)|could (?:i|it|this|that)|would (?:it|i|this|that|they)|will (?:it|i|this|that|they|the|my)|(?:when|where) (?:is|are|do|does|did|will|can|should|was|were|has|have|would|could)|(?:any|some) (?:idea|tips|advice|suggestions?))\b/i;
/** An imperative that only asks for an explanation. */
const ASKS_TO_EXPLAIN =
  /^(?:(?:please|pls|can you|could you|would you|will you|just)\s+)*(?:(?:tell|show|teach|remind) (?:me|us)|explain|describe|clarify|i (?:want|would like|'d like|need) to (?:know|understand|learn)|i wonder|i'm wondering|do you know|give me|write|create)\b.{0,60}?\b(?:how (?:to|do|does|i|we|can|you)|why|what (?:is|are|does|happens)|step[- ]by[- ]step (?:instructions|guide|tutorial)|instructions|tutorial|the steps)\b/i;

const CHINESE_POLITE =
  /^(?:你好|您好|嗨|好的|那么?|请问)?[，,\s]*(?:请(?!问)|帮|麻烦|(?:你|您)?(?:能不能|可不可以|能否|可否|可以|能)(?:请|帮|把|先|给|替|为|将))/;
const CHINESE_TAG = /[，,\s]*(?:好吗|好不好|可以吗|行吗|可以么|行不行|谢谢)[？?。！!]*$/;
const CHINESE_ASKS =
  /怎么|怎样|如何|什么|为什么|为何|为啥|谁|哪里|哪个|哪些|哪一|哪儿|多少|多久|多大|几[个点天年次岁]|是否|是不是|有没有|能不能|可不可以|要不要|区别|吗|呢/;
const CHINESE_TEACH = /教我|告诉我(?:怎么|如何)|(?:步骤|教程|方法|流程)(?:有哪些|是什么|是啥|说明)/;
/** "核对有没有漏": something to check, not a question. */
const CHECKS_WHETHER =
  /(?:核对|检查|确认|验证|看看|标出|找出)[^，,]{0,8}(?:有没有|是否|是不是|哪些|什么|多少)/g;
const CHINESE_ORDER =
  /^(?:请|帮我|先|首先|把|将|分析|读取|下载|整理|写|做|找|查|搭建|创建|生成|运行|修复|提取|统计|比较|对比|画|收集|抓取|克隆|安装|检查|第一步)/;

/** The sentences of a request, in order. */
export function sentencesOf(request: string): Sentence[] {
  return request
    .split(ENDS)
    .map((text) => text.slice(0, LONGEST).replace(/\s+/g, ' ').trim())
    .filter((text) => text !== '')
    .map((text) => {
      const isChinese = HAN.test(text);
      return { text, isChinese, isQuestion: isChinese ? asksInChinese(text) : asks(text) };
    });
}

function asks(text: string): boolean {
  if (ASKS_TO_EXPLAIN.test(text)) return true;
  if (POLITE.test(text)) return false;
  return ASKS.test(text) || text.endsWith('?');
}

function asksInChinese(text: string): boolean {
  if (CHINESE_TEACH.test(text)) return true;
  const bare = text.replace(CHINESE_TAG, '');
  if (CHINESE_POLITE.test(bare)) return /怎么|如何|为什么|什么意思/.test(bare.slice(0, 30));
  if (bare !== text) return false;
  if (/[？?]$/.test(text)) return true;
  if (/[，,\s](?:请(?!问)|帮我|麻烦)/.test(text)) return false;
  return CHINESE_ASKS.test(text.replace(CHECKS_WHETHER, '')) && !CHINESE_ORDER.test(text);
}
