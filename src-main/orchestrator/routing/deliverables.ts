import { DEFINITE, isChineseThing, thingIn } from './thing.ts';

/**
 * Requests for several things to deliver: "a budget spreadsheet, a poster, a page and an email". They have
 * one verb or none, yet each thing is separate work.
 */

const WANTED =
  /\b(?:make|create|build|prepare|write|draft|need|want|produce|put together|set up|scaffold|develop|design|generate|give (?:me|us|my|our|the)|deliver|plan|monitoring|provide)\b/i;
const CHINESE_WANTED = /做|写|搭|弄|准备|要|生成|创建|制作|出|开发|设计|建|整理|包括/;
/** The items are the content or subject of one thing, or options to choose from. */
const IS_CONTENT =
  /\b(?:columns?|fields?|headers?|mention\w*|covering|covers?|about|discuss\w*|with (?:\w+ )?(?:sections|chapters)|(?:sections?|chapters?) (?:on|for|about)|named|called|tags?|categor(?:y|ies)|words?|choose|between|which|compare|difference|rename|translate|delete|explain|define)\b/i;
const CHINESE_IS_CONTENT =
  /字段|列名|表头|章节|区别|哪个|选择|翻译|解释|定义|关于.{0,20}的(?:文章|邮件|故事)|提到|谈到|涉及|介绍|说明|删除|重命名|改名/;
const WHOLE_SET =
  /\b(?:full|complete|whole|entire|kit|package|bundle|set of|everything)\b|全套|一整套|一套|整套|都要|全部/i;
/** A title that names one document: what follows is its content. */
const TITLE_OF_DOCUMENT =
  /\b(?:agenda|list|ad|advert|table|minutes|page|post|outline|letter|e-?mail|message|programme|menu|text|story|poem|class|function|job|report|summary|slide|columns?|ingredients|architecture|stack)\b(?=[^:]{0,50}:$)/i;
const CHINESE_TITLE_OF_DOCUMENT =
  /(?:议程|启事|目录|清单|名单|通知|邮件|信|文章|介绍|表|架构|技术栈|函数|内容|如下)[：:]$/;

const MANY = 4;
const MANY_OF_A_SET = 3;

/** The things that a sentence asks for if there are many; else null. */
export function deliverables(sentence: string, isChinese: boolean): readonly string[] | null {
  const things = isChinese ? inChinese(sentence) : inEnglish(sentence);
  const least = WHOLE_SET.test(sentence) ? MANY_OF_A_SET : MANY;
  return things.length >= least ? things : null;
}

function inEnglish(sentence: string): string[] {
  // A title before a colon names the purpose: "rebrand for a coffee roaster: names, palette, …".
  const title = /^[^,;:]{3,90}:(?=\s)/.exec(sentence)?.[0] ?? '';
  const isTitled =
    title !== '' && !/\b(?:is|are|has|have|was|were|lists?|contains?|i|it|they|we)\b/i.test(title);
  if (!(WANTED.test(sentence) || isTitled) || IS_CONTENT.test(sentence)) return [];
  if (TITLE_OF_DOCUMENT.test(title.trimEnd())) return [];
  const found = new Map<string, string>();
  for (const item of sentence.split(/[,;:&+]\s*|\band\b|\bplus\b/i)) {
    const text = item.trim();
    if (DEFINITE.test(text)) continue;
    const thing = thingIn(text);
    if (thing !== null && !found.has(thing)) found.set(thing, text);
  }
  return [...found.values()];
}

function inChinese(sentence: string): string[] {
  const title = /^[^，、：:]{2,30}[：:]/.exec(sentence)?.[0] ?? '';
  const isTitled = title !== '';
  if (CHINESE_TITLE_OF_DOCUMENT.test(title)) return [];
  if (!(CHINESE_WANTED.test(sentence) || isTitled) || CHINESE_IS_CONTENT.test(sentence)) return [];
  const found = new Set<string>();
  for (const item of sentence.split(/[，,、：:；;+。]|以及|还有|和|及/)) {
    const text = item.trim().replace(/(?:都要|都做|带答案|各一份|等)$/, '');
    if (isChineseThing(text)) found.add(text);
  }
  return [...found];
}
