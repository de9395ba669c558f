import { findEvidenceRequest } from './evidence.ts';
import type { Sentence } from './sentences.ts';

/** Explicit requests for research: for a broad search, or for an answer with sources. */

const POLITE =
  "(?:(?:please|pls|hi|hey|now|ok|can you|could you|would you|will you|help me(?: to)?|i (?:want|need|would like|'d like) (?:you )?to|first|then|next|and|let'?s|go ahead and|thoroughly|carefully|deeply)[\\s,:]+){0,5}";
/** Rules out compounds that only contain the word. */
const NOUN_AFTER =
  '(?!\\s*(?:[._/\\\\]|papers?\\b(?! on)|assistants?\\b|departments?\\b|questions?\\b|proposals?\\b|folders?\\b|files?\\b|notes?\\b|teams?\\b|projects?\\b|plans?\\b|reports?\\b|labs?\\b|is\\b|was\\b|and development\\b))';
const WORK =
  'research|literature (?:review|survey|search)|systematic review|deep dive|market (?:research|analysis)|competitive analysis|competitor (?:research|analysis)|background research|(?:scoping|evidence|rapid|umbrella|narrative) review|annotated bibliography|market survey|state[- ]of[- ]the[- ]art (?:review|survey)';

const ORDERS: readonly RegExp[] = [
  new RegExp(`^${POLITE}research(?:\\s|:)${NOUN_AFTER}(?=\\S)`, 'i'),
  new RegExp(
    `\\b(?:do|conduct|perform|carry out|undertake|run|start|write|prepare|make|create|compile|produce|need|want|give me|draft|deliver)\\s(?:(?:some|a|an|me|your|own|thorough|deep|quick|short|brief|detailed|comprehensive|extensive|in-depth|proper|full|small|little|bit of|online|web|api|academic)\\s){0,4}(?:${WORK})\\b${NOUN_AFTER}`,
    'i',
  ),
  /^(?:deep|in-depth|thorough|quick|market|background|web|online)? ?research(?: report| brief)?(?: pls| please)?\s*:/i,
  /\b(?:write|prepare|make|produce|compile|give me|need|want|deliver|draft)\b(?: me| us)? (?:an? |the )?(?:\w+ ){0,2}research (?:report|brief|paper|dossier)\b (?:with|on|about|into|covering)\b/i,
  new RegExp(`^${POLITE}(?:deep[- ]dive|do a deep dive) (?:into|on)\\b`, 'i'),
  /\bsurvey (?:of )?the (?:current )?(?:state|literature|field|landscape|research|existing|recent)\b|\bsurvey (?:existing|recent|current) (?:work|research|approaches|methods|literature)\b/i,
  /\b(?:review|summari[sz]e|survey|go through|study) the (?:\w+ ){0,2}(?:literature|research|evidence|studies) (?:on|about|for|of|around|regarding)\b/i,
  /\b(?:find|search for|look for|look up|gather|collect|identify|dig up)\b.{0,30}\b(?:studies|literature|scientific (?:evidence|papers|articles)|peer[- ]reviewed|academic (?:papers|articles|sources)|research (?:papers|articles)|papers|publications)\b.{0,20}\b(?:on|about|that|into|regarding|for)\b/i,
  /\b(?:from|across|using|on|based on|consult(?:ing)?|compare|want|need|use|with|find|check) (?:several|multiple|various|different|many|at least \w+|a variety of|two|three|four|five|ten|\d+) (?:\w+ ){0,2}(?:sources|studies|papers|reviews)\b/i,
  /\b(?:find|look for|search for|gather|collect) (?:\w+ ){0,2}sources (?:for|on|about|against)\b/i,
  /\b(?:scientific|empirical|clinical) evidence (?:for|on|about|behind)\b.*\b(?:cite|sources|citations|references|studies)\b/i,
];
/** Asks for an answer with sources; applies to questions too. */
const SOURCED: readonly RegExp[] = [
  /\bwith (?:(?:\w+|full|proper) ){0,2}(?:sources|citations|references|footnotes)\b(?! (?:to|from|in|removed|folder)\b)/i,
  /\b(?:with|include|give|add) (?:\w+ )?references to (?:\w+ ){0,2}(?:sources|studies|papers|literature|research)\b/i,
  /\b(?:sources|references|citations),? (?:please|pls|needed|required|included)\b|\b(?:every|each|all) (?:\w+ )?(?:claims?|statements?|facts?|figures?|numbers?) (?:up )?with (?:a |its |their )?(?:sources?|citations?|references?|links?)\b/i,
  /\b(?:cite|citing) (?:everything|each claim|every claim|them|it all)\b|\band cite(?: them)?[.!]?$/i,
  /\b(?:cite|citing) (?:your |all |the |any |at least \w+ |\w+ )?(?:sources|references|studies|papers)\b/i,
  /\b(?<!\b(?:the|a|an) )(?:include|add|provide|give|list|name|link|show)(?: me)? (?:\w+ ){0,3}(?:sources|citations|references|links to (?:the )?sources)\b(?! (?:code|files?|of|for|in|to|folder|section|heading|headline|page|column|chapter|list|slide|tab)\b)/i,
  /\b(?:well[- ]sourced|(?:fully |well |properly )?cited (?:report|overview|summary|answer)|(?:well|fully|properly)[- ](?:cited|referenced)|backed (?:up )?by (?:sources|citations|studies|references)|source(?:s)? for (?:each|every|all) (?:claim|statement))\b/i,
];
const ASKED: readonly RegExp[] = [
  /^(?:deep|in-depth|thorough|quick|market|background|web|online)? ?research(?: pls| please)?\s*:/i,
  /\bwhat (?:does|do) (?:the )?(?:\w+ ){0,2}(?:literature|research|studies|evidence|science) say\b/i,
];
/** Work on an existing text or file. */
const EDITS =
  /^(?:(?:please|can you|could you|would you|first|then|and|now)\s+)*(?:proofread|fix|rename|convert|translate|remove|delete|strip|move|open|copy|format|reformat|sort|merge|zip|spell-?check|correct|shorten|read|find and replace|replace|count)\b/i;

const CHINESE_POLITE =
  '^(?:(?:请你?|帮我|帮忙|麻烦|你|您|能不能|能否|可以|我想(?:要|请你)?|我要|我需要|需要|给我|先|首先|再|然后|好好|全面|系统地?|详细地?|深入地?|仔细)[，,\\s]*){0,6}';
const CHINESE_ORDERS: readonly RegExp[] = [
  new RegExp(
    `${CHINESE_POLITE}(?:做|进行|开展|完成)?(?:一下|一次|一个|一份|个|份|些)?.{0,16}?(?:市场|行业|背景|竞品|文献|深度|技术|用户)?(?:调研|文献检索|文献调查)(?!报告|数据|问卷|结果|表|文件|是什么|是啥|员|组|小组|笔记)`,
  ),
  new RegExp(`${CHINESE_POLITE}(?:深入|系统地?|全面|详细)(?:地)?(?:研究|调查|调研|梳理)`),
  new RegExp(
    `${CHINESE_POLITE}(?:研究一下|研究下|综述|调查一下|查一查.{0,10}文献)(?!文章|论文|是什么|怎么|的格式|\\.)`,
  ),
  /(?:写|做|撰写|完成|来|准备|整理|生成|给我|要|出)(?:一|个|份|篇|一份|一篇|一个)?.{0,30}(?:文献综述|研究综述|综述|注释书目|文献目录|深度报告|调研报告|研究报告|调查报告)(?!的?(?:格式|字数|结构|是|标题|模板|封面))/,
  /(?:查阅|查找|检索|搜集|收集|搜索|找).{0,24}(?:文献|研究资料|学术资料|相关研究|最新研究|论文)/,
  /的(?:文献综述|研究综述|调研报告)(?:$|[，,。！!])/,
  /(?:多|广泛)?(?:查|找|看)(?:一?些)?(?:正规|权威|相关|学术)的?(?:研究|文献|资料|论文)/,
  /(?:查阅|多方查|广泛查).{0,6}资料/,
];
const CHINESE_SOURCED: readonly RegExp[] = [
  /(?:来源|出处|参考文献|文献).{0,6}(?:列出|附上|标出|标明|注明|给出|写清|列一下)/,
  /(?:给出|附上|附|注明|标明|标注|列出|提供|引用|带上?|要有|包含|写明|说明).{0,10}(?:来源|出处|参考文献|参考资料|引用|文献|引文)(?!的?(?:格式|示例|样式|写法))/,
];
const CHINESE_EDITS =
  /^(?:请|帮我|麻烦|你)*(?:把|将|校对|修改|润色|翻译|转换|删除|删掉|去掉|改|合并|打开|重命名|给(?:这|下面)|修复|帮我校对)/;

/** English words for research in a Chinese sentence: "research 一下", "做个 literature review". */
const MIXED_ORDERS: readonly RegExp[] = [
  /(?:^|[，,。；;：:\s]|帮我|请|想|要|来|做|再|先|给我|去)(?:research|survey|investigate|deep[- ]?dive|fact[- ]?check)\s*(?:一?下|一遍|一轮|:|：|[\u3400-\u9fff])/i,
  new RegExp(
    `(?:做|写|来|搞|出|给|要|整)(?:我|一|个|份|篇|次|下|些|点|一个|一份|一篇|一次)*\\s*.{0,24}?\\b(?:${WORK}|lit review|lit search|research report)\\b`,
    'i',
  ),
  /(?:(?<!检)查|找|搜|看|搜集|收集|检索)[^，,。]{0,24}\b(?:papers?(?![.\w])|literature|studies|publications|(?:independent|academic|reliable|primary) (?:\w+ )?(?:sources?|reviews?))\b/i,
];
const MIXED_SOURCED: readonly RegExp[] = [
  /(?:附上?|带上?|要有|需要|给出?|列出?|标注?|注明|加上?|提供|配上?|含|有|with)[^，,。]{0,12}\b(?:citations?|sources?|references?|refs|links? to|footnotes?|bibliography)\b/i,
  /\b(?:cite|source|reference)\s*(?:一下|清楚|出来|都要|要)/i,
  /\b(?:citations?|sources?|references?)\s?(?:都?要|必须|列|附|标|给|写)/i,
];

/** The words that ask for research; null if there are none. */
export function findResearchRequest(sentences: readonly Sentence[]): string | null {
  for (const sentence of sentences) {
    const text = withoutTypos(sentence.text);
    const found = sentence.isChinese
      ? inChinese({ ...sentence, text })
      : inEnglish({ ...sentence, text });
    if (found !== null) return found;
  }
  const first = sentences[0]?.text ?? '';
  return EDITS.test(first) || CHINESE_EDITS.test(first) ? null : findEvidenceRequest(sentences);
}

/** Corrects "reserch" and "reasearch". */
function withoutTypos(text: string): string {
  return text.replace(/\br[a-z]{6,8}\b/gi, (word) =>
    isOneTypoFrom(word.toLowerCase(), 'research') ? 'research' : word,
  );
}

/** Whether the words differ by one extra, missing or wrong letter, or by two swapped ones. */
function isOneTypoFrom(word: string, meant: string): boolean {
  let start = 0;
  while (start < word.length && word[start] === meant[start]) start += 1;
  const [left, right] = [word.slice(start), meant.slice(start)];
  return (
    left.slice(1) === right ||
    left === right.slice(1) ||
    left.slice(1) === right.slice(1) ||
    (left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2))
  );
}

function inEnglish({ text, isQuestion }: Sentence): string | null {
  if (EDITS.test(text)) return null;
  const asksOfWork = isQuestion && /^(?:what(?:'s| is)|how|when|why|who|where)\b/i.test(text);
  const rules = isQuestion ? ASKED : ORDERS;
  return firstOf(rules, text) ?? (asksOfWork && !/,/.test(text) ? null : firstOf(SOURCED, text));
}

function inChinese({ text, isQuestion }: Sentence): string | null {
  if (CHINESE_EDITS.test(text)) return null;
  const sourced = [...CHINESE_SOURCED, ...MIXED_SOURCED];
  if (isQuestion) return /[，,]/.test(text) ? firstOf(sourced, text) : null;
  return firstOf(CHINESE_ORDERS, text) ?? firstOf(MIXED_ORDERS, text) ?? firstOf(sourced, text);
}

function firstOf(rules: readonly RegExp[], text: string): string | null {
  for (const rule of rules) {
    const found = rule.exec(text)?.[0];
    if (found !== undefined) return found;
  }
  return null;
}
