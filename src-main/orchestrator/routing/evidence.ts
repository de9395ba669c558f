/**
 * Research requested without the word. A request may demand three things of its findings: scholarly or
 * official sources, citations, and a critical assessment. One that asks to look something up and demands two
 * of them is a request for research, whatever its words.
 */
import type { Sentence } from './sentences.ts';

/** A clause that asks to look something up. */
const LOOK =
  /(?:^|[,;:.?!–—-]\s|\b(?:and|then|please|to|can you|could you|me)\s)(?:please )?(?:(?:research|investigate|examine|explore|look (?:into|for|at|up)|get me|bring me|dig|review|assess|evaluate|gather|collect|find|search|pull together|put together|track down|trace|map(?: out)?|fact[- ]check|check|verify|compare|go through|weigh|read up|study|survey|work out|establish|determine|rely on|use|consult|draw on|synthesi[sz]e|give me|tell me|(?:i )?want|(?:i )?need|flag|list|summari[sz]e)\b)/i;
/** Asks to investigate the world rather than material at hand. */
const INQUIRE =
  /^(?:(?:please|pls|can you|could you|now)\s)*(?:investigate|examine|look into|trace|fact[- ]check|track down|find out|assess|evaluate|dig into|explore)\b/i;
const SCHOLARLY =
  /\b(?:meta-?analys[ei]s|(?:clinical|randomi[sz]ed|controlled|field) trials?|trials|(?:clinical |current |recent |official )?guidelines|peer[- ]reviewed|empirical|(?:academic|published|recent|main|key|original|scientific|long-term|longitudinal|observational|cohort) (?:\w+ )?(?:papers?|studies|work|research|literature|evidence|articles?)|studies|papers|literature|academics|scholars?|scholarly|systematic reviews?|case law|court (?:decisions|rulings|cases)|rulings|legislation|commentary|field work|position statements?|(?:official|legal|primary|government|public) (?:\w+ )?(?:sources?|documents|texts?|records|statistics|data)|evidence)\b/i;
const SHOWN =
  /\b(?:(?:primary|independent|several|multiple|reliable|official|academic|legal|original|credible|different|various|reputable|trustworthy) (?:\w+ )?(?:sources|outlets|media|experts)|(?:sourced|referenced|cited|footnoted|annotated)|bibliography|references|citations|citing|cite|footnotes|dois?|links? (?:to |for )?(?:the |each |every )?(?:\w+ )?(?:papers|studies|sources|articles|reports|trials)|with (?:\w+,? ){0,4}(?:and )?(?:links|urls|refs)|refs|urls|\d+\+? (?:or more )?(?:papers|studies)|\w+ linked|quote the (?:papers|studies|sources)|where (?:each|every|the) \w+ comes? from|list them)\b/i;
const WEIGHED =
  /\b(?:disagree|contradict(?:ions?|ory)?|conflicting|consensus|credib(?:le|ility)|reliab(?:le|ility)|trustworthy|for and against|both sides|weigh|strength of|how (?:strong|solid|good|reliable|trustworthy|robust) (?:is|are|the|each|\w+ (?:is|are)\b)|critics|critically|debate|against each other|quality of (?:the |each )?(?:evidence|stud)|effect sizes?|hype|diverging|differing|competing (?:claims|views|theories)|(?:grade|rate|judge|assess|note) (?:the|their|its|each) quality|how (?:sure|certain)|pros and cons of the evidence|hold up|holds up)\b/i;
/** The request is about material at hand, so there is nothing to look up. */
const AT_HAND =
  /\.\/|~\/|\b(?:files?|folders?|repo(?:sitory)?|code ?base|attached|attachment|pdfs?|downloads|\w+\.(?:tex|pdf|docx?|md|txt|py|js|ts|csv|xlsx?|bib|json))\b|\b(?:this|these|my|our|the following) (?:\w+ )?(?:paper|text|report|article|papers|articles|study|studies|essay|thesis|draft|chapter|notes|cv|code|list|paragraph|abstract|slides?)\b|\b(?:test|build|server|function|bug|error|log|script)\b/i;
/** A result with sources is research whatever the rest of the request says. */
const SOURCED =
  /\b(?:sourced|referenced|cited|footnoted|annotated|evidence-based)[, ](?:\w+[, ]+){0,2}(?:verdict|answer|overview|summary|report|brief(?:ing)?|review|account|comparison|analysis|timeline|assessment|piece|article|list)\b|\bsources? for (?:each|every|all|any) (?:\w+ )?(?:claim|figure|number|fact|statement|point|entry|price|date)s?\b|\b(?:an?|one|with|give|cite) sources? (?:for|behind) (?:every|each)\b|\b(?:cite|show|say|state|tell me|note) where (?:each|every) \w+ comes? from\b|\blinks? to (?:the )?(?:original |relevant |actual |primary )?(?:papers|studies|sources|trials)\b|\blink the (?:papers|studies|sources)\b|\b(?:each|every|all) (?:\w+ )?(?:number|figure|claim|fact|statement|point)s? (?:needs?|must have|should have|has to have|sourced|backed|referenced|linked)\b|[, ] ?(?:footnoted|sourced|referenced)[.!]?$|\brefs (?:at the end|please|pls)\b|\bwith (?:refs|urls)\b|\bsystematically search\b/i;

const CHINESE_LOOK =
  /(?:^|[，,。；;：:、？?！!]|帮我|请|我想|想|好好)\s*(?:帮我|请|去|先|再|多|全面|系统地?|深入|尽量)*(?:查证|核实|考证|求证|核查|盘点|摸清|摸底|了解|看看|看一下|搜集|收集|梳理|系统评价|评价|评估|调查|查|找|看(?!病|完|书|电影|着|不)|给我|附|要|需要|研究|比较|对比|说明|综合|汇总|分析|整理|追溯|追踪|检索|用)/;
const CHINESE_SCHOLARLY =
  /荟萃分析|meta ?分析|论文|paper|文献|临床试验|随机对照|对照试验|试验|一手史料|史料|指南|实证|(?<![我你他她们]的?|这[个项份])研究(?!生|所|院|一下|员|方向)|权威(?:机构|来源|部门|数据)|官方(?:法律)?(?:文件|数据|来源|资料|统计)|学界|学术|期刊|一手|公开资料|循证|正规|独立(?:媒体|来源|机构)|判决|判例|法规|官方原文|(?:查|找)(?:一?[查些找点])?资料/i;
const CHINESE_SHOWN =
  /来源|出处|引文|引用|DOI|参考文献|附.{0,6}(?:链接|文献|论文)|书目|[\d一二三五十两]+篇(?:以上)?的?(?:论文|文献)|链接|标明|注明|核实|脚注|网址|列出来|给文献|依据/i;
const CHINESE_WEIGHED =
  /正反|共识|分歧|争议|靠谱|可信|证据(?:强弱|质量|等级)|效应量|夸大|把握有多大|不同(?:解读|观点|看法|说法)|评.{0,6}质量|证据.{0,6}(?:硬|强|可靠|扎实)|异同|(?:互相|多方|相互|交叉)(?:印证|验证|核对)|站得住|质量高低|权衡|真假|证据等级|矛盾/;
const CHINESE_AT_HAND =
  /\.(?:tex|pdf|docx?|md|txt|py|js|ts|csv|xlsx?|bib)|文件夹|目录|附件|代码|函数|报错|日志|(?:这[篇份段个本]|我的|我写的|下面|以下|上面)(?:的)?.{0,4}(?:论文|文章|报告|文献|稿|综述|内容|文字|话)|第.章|服务器/i;
const CHINESE_SOURCED =
  /(?:每|所有|全部|各).{0,8}(?:来源|出处|文献)|(?<!(?:检查|修复|更新|替换|测试|点|修|改).{0,4})每.{0,8}(?:链接|引用)|附上?(?:每[条篇]|各条)?\s?(?:官方|相关)?(?:论文|文献|paper|原文|来源|资料|数据|文章)(?:的)?\s?链接|附.{0,4}(?:DOI|引文|文献)|加脚注|给(?:出处|来源|文献)|列出?\s?DOI|(?:规范引用|引用要?规范)|(?:独立|可靠|权威|多个?|不同)的?(?:信息|数据)?来源.{0,8}(?:核实|印证|查证|交叉)|来自.{0,8}独立来源/i;
const CHINESE_TOPIC =
  /^(?:帮我|请)?(?:survey|research|deep dive)\s?(?:一下|下)|(?:市场|行业)(?:调查|研究|盘点)(?=[：:]|$)/i;

const MIXED_LOOK =
  /\b(?:research|survey|compare|check|investigate|review|summari[sz]e|find|search|explore|verify)\b/i;
const MIXED_LINKS =
  /(?:附上?|带上?|给|列|要有?|配)[^，,。]{0,8}\b(?:links?|urls?|sources?|citations?|references?|papers?)\b/i;

/** The words that ask for sourced evidence; null if there are none. */
export function findEvidenceRequest(sentences: readonly Sentence[]): string | null {
  const all = sentences.map(({ text }) => text).join(' ');
  if (all.length > 1_500) return null;
  return sentences.some(({ isChinese }) => isChinese)
    ? inChinese(all)
    : inEnglish(all, sentences.length > 1 || sentences.every(({ isQuestion }) => !isQuestion));
}

/** Without one of these words, `SOURCED` cannot match, and compiling it is slow. */
const HINTS_AT_SOURCES =
  /sourc|referenc|cited|footnot|annotat|evidence|where (?:each|every)|link|needs?\b|must|should|has to|backed|refs|urls|systematic/i;

/** The most expensive rules come last, because most requests fail the cheap ones. */
function inEnglish(all: string, isOrder: boolean): string | null {
  if (!isOrder) return null;
  const sourced = HINTS_AT_SOURCES.test(all) ? SOURCED.exec(all)?.[0] : undefined;
  if (sourced !== undefined) return AT_HAND.test(all) ? null : sourced;
  const found = [SCHOLARLY, SHOWN, WEIGHED].flatMap((rule) => rule.exec(all)?.[0] ?? []);
  if (found.length === 0) return null;
  const isInquiry = INQUIRE.test(all) && (SCHOLARLY.test(all) || SHOWN.test(all));
  if (found.length < 2 && !isInquiry) return null;
  if (found.length < 3 && !LOOK.test(all)) return null;
  return AT_HAND.test(all) ? null : (found[0] ?? null);
}

function firstMatch(rules: readonly RegExp[], text: string): string | null {
  for (const rule of rules) {
    const found = rule.exec(text)?.[0];
    if (found !== undefined) return found;
  }
  return null;
}

function inChinese(all: string): string | null {
  if (CHINESE_AT_HAND.test(all)) return null;
  const outright = CHINESE_TOPIC.exec(all)?.[0] ?? CHINESE_SOURCED.exec(all)?.[0];
  if (outright !== undefined) return outright;
  // The English words for the same thing count as well: "看看 papers 怎么说，附 links".
  const found = [
    [CHINESE_SCHOLARLY, SCHOLARLY],
    [CHINESE_SHOWN, SHOWN, MIXED_LINKS],
    [CHINESE_WEIGHED, WEIGHED],
  ].flatMap((rules) => firstMatch(rules, all) ?? []);
  const looks = CHINESE_LOOK.test(all) || MIXED_LOOK.test(all);
  return looks && found.length >= 2 ? (found[0] ?? null) : null;
}
