/**
 * Requests that name several things to be handed over: "a budget spreadsheet, a poster, a page and an
 * email". They have one verb, or none, and yet each thing is work of its own.
 */

/** Things that are made and handed over, in the singular. */
const THINGS = new Set(
  `spreadsheet budget poster flyer leaflet brochure page website site form email letter invitation newsletter
  schedule timetable plan agenda checklist list shortlist template quiz test exam worksheet exercise solution
  key scheme outline lesson lecture note handout slide deck presentation report summary memo guide manual
  runbook handbook policy documentation doc readme chart dashboard diagram logo palette copy script scraper
  scheduler database schema model api backend frontend login ci docker dockerfile docker-compose deployment
  notification alert rule build level menu contract invoice faq survey questionnaire rota syllabus curriculum
  course post caption video storyboard flashcard glossary calendar proposal pitch landing migration pipeline
  table figure map recipe itinerary workbook ledger certificate badge banner sitemap prototype mockup wireframe
  tracker calculator planner roster brief speech article profile listing thumbnail header cover icon slogan tagline
  bot game generator converter portfolio resume cv stylesheet
  enemy boss system hook service endpoint client server prometheus grafana kubernetes terraform redis postgres`
    .split(/\s+/)
    .filter(Boolean),
);
const CHINESE_THING =
  /(?:方案|预算|预算表|文案|海报|传单|分工表|讲义|考核题|练习题|试题|题|答案|签到表|问卷|教案|课件|大纲|试卷|测试卷|卷|页面|网页|网站|规则|对阵表|表格|表|稿|前端|后端|接口|数据库|登录|登录功能|测试|文档|脚本|清单|邮件|通知|幻灯片|报告|手册|模板|流程图|图表|视频|日程|计划|计划书|合同|简历|海报图|邀请函|议程|总结|菜单|名单|公告|贺卡|说明书|规划|部署|权限|支付)(?:[（(].{0,10}[）)])?(?:设计|图)?$/;

const WANTED =
  /\b(?:make|create|build|prepare|write|draft|need|want|produce|put together|set up|scaffold|develop|design|generate|give me|deliver|plan|monitoring|provide)\b/i;
const CHINESE_WANTED = /做|写|搭|弄|准备|要|生成|创建|制作|出|开发|设计|建|整理|包括/;
/** What is named is what a thing consists of or is about, or is to be chosen from. */
const IS_CONTENT =
  /\b(?:columns?|fields?|headers?|mention\w*|covering|covers?|about|discuss\w*|sections?|chapters?|named|called|tags?|categor\w+|words?|choose|between|which|compare|difference|rename|translate|delete|explain|define)\b/i;
const CHINESE_IS_CONTENT =
  /字段|列名|表头|章节|区别|哪个|选择|翻译|解释|定义|关于.{0,20}的(?:文章|邮件|故事)|提到|谈到|涉及|介绍|说明|删除|重命名|改名/;
const WHOLE_SET =
  /\b(?:full|complete|whole|entire|kit|package|bundle|set of|everything)\b|全套|一整套|一套|整套|都要|全部/i;
/** Definite things are there already. */
const DEFINITE = /^(?:the|my|our|your|his|her|their|this|these|that|those)\b/i;

const MANY = 4;
const MANY_OF_A_SET = 3;

/** The things that a sentence wants, where they are many; else null. */
export function deliverables(sentence: string, isChinese: boolean): readonly string[] | null {
  const things = isChinese ? inChinese(sentence) : inEnglish(sentence);
  const least = WHOLE_SET.test(sentence) ? MANY_OF_A_SET : MANY;
  return things.length >= least ? things : null;
}

function inEnglish(sentence: string): string[] {
  // A title in front of a colon says what for: "rebrand for a coffee roaster: names, palette, …".
  const title = /^[^,;:]{3,90}:(?=\s)/.exec(sentence)?.[0] ?? '';
  const isTitled =
    title !== '' && !/\b(?:is|are|has|have|was|were|lists?|contains?|i|it|they|we)\b/i.test(title);
  if (!(WANTED.test(sentence) || isTitled) || IS_CONTENT.test(sentence)) return [];
  const found = new Map<string, string>();
  for (const item of sentence.split(/[,;:&+]\s*|\band\b|\bplus\b/i)) {
    const text = item.trim();
    if (DEFINITE.test(text)) continue;
    const thing = headOf(text);
    if (thing !== null && !found.has(thing)) found.set(thing, text);
  }
  return [...found.values()];
}

/** The thing that a few words are about: the last noun before what qualifies it. */
function headOf(item: string): string | null {
  const core =
    item
      .toLowerCase()
      .split(
        /\s(?:for|of|with|that|which|in|as|out|from|per|on|to|based|about|using|where)\s/,
        1,
      )[0] ?? '';
  const words = core
    .trim()
    .replace(/\s(?:pdf|docx?|xlsx?|html|excel|word|powerpoint|pptx|csv|files?)$/, '')
    .split(/[\s/-]+/)
    .map((word) => word.replace(/[^a-z]/g, ''));
  if (words.length > 9) return null;
  const last = words.filter((word) => word !== '').at(-1) ?? '';
  return (
    [last, last.replace(/s$/, ''), last.replace(/es$/, ''), last.replace(/ies$/, 'y')].find(
      (word) => THINGS.has(word),
    ) ?? null
  );
}

function inChinese(sentence: string): string[] {
  const isTitled = /^[^，、：:]{2,30}[：:]/.test(sentence);
  if (!(CHINESE_WANTED.test(sentence) || isTitled) || CHINESE_IS_CONTENT.test(sentence)) return [];
  const found = new Set<string>();
  for (const item of sentence.split(/[，,、：:；;+。]|以及|还有|和|及/)) {
    const text = item.trim().replace(/(?:都要|都做|带答案|各一份|等)$/, '');
    if (text.length > 1 && text.length <= 24 && CHINESE_THING.test(text)) found.add(text);
  }
  return [...found];
}
