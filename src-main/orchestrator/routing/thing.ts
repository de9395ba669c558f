/** Things that users ask for, recognised by the last noun of a phrase. */

/** Singular nouns. */
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
  bot game generator converter portfolio resume cv stylesheet series entry library hunt sheet booklet pack kit
  enemy boss system hook service endpoint client server prometheus grafana kubernetes terraform redis postgres
  draft label concept sketch illustration drawing dataset codebook statistic section categorizer importer exporter backup statement timeline exhibit playlist trailer teaser factsheet cheatsheet
  invite reminder overview analysis forecast estimate strategy procedure playbook press-release release`
    .split(/\s+/)
    .filter(Boolean),
);
/** Compounds go by their last part: "scorecard", "costing-sheet", "yearbook". */
const ENDS_IN_THING = /(?:sheet|book|list|page|board|kit|plan|card|izer|script|guide|map|letter)$/;

/** The thing that a phrase names: the last noun before its qualifiers. */
export function thingIn(item: string): string | null {
  const core =
    item
      .toLowerCase()
      .split(
        /\s(?:for|of|with|that|which|who|in|as|out|from|per|on|to|based|about|using|where|after|before|listing|showing|explaining)\s/,
        1,
      )[0] ?? '';
  const words = core
    .trim()
    .replace(/\s(?:pdf|docx?|xlsx?|html|excel|word|powerpoint|pptx|csv|files?)$/, '')
    .split(/[\s/-]+/)
    .map((word) => word.replace(/[^a-z]/g, ''));
  if (words.length > 9) return null;
  const last = words.filter((word) => word !== '').at(-1) ?? '';
  const forms = [last, last.replace(/s$/, ''), last.replace(/es$/, ''), last.replace(/ies$/, 'y')];
  return (
    forms.find((word) => THINGS.has(word)) ??
    forms.find((word) => word.length > 5 && ENDS_IN_THING.test(word)) ??
    null
  );
}

/** Definite things already exist. */
export const DEFINITE = /^(?:the|my|our|your|his|her|their|this|these|that|those)\b/i;

const CHINESE_THING =
  /(?:方案|预算|预算表|文案|海报|传单|宣传单|分工表|讲义|考核题|练习题|试题|题|答案|签到表|问卷|教案|课件|大纲|试卷|测试卷|卷|页面|网页|网站|规则|对阵表|表格|表|稿|前端|后端|接口|数据库|登录|登录功能|测试|文档|脚本|清单|邮件|通知|幻灯片|报告|手册|模板|流程图|图表|视频|日程|计划|计划书|合同|简历|海报图|邀请函|议程|总结|菜单|名单|公告|贺卡|说明书|说明|规划|部署|权限|支付|协议|表单|规范|组件库|指南|提纲|须知|看板|周报|日报|月报|台账|申请书|标书|申报书|剧本|字幕|封面|横幅|易拉宝|名片|标语|口号|推文|话术|制度|大事记|时间线|目录|PPT|ppt|logo|LOGO|小结|卡片|草图|配色|标签|横幅|布局|排班|学习包|资料包|大礼包|纪要|摘要|节目单|合集|画册|相册|教程|攻略|索引|词汇表|年表|分析|评估表|信|函|docker-compose|Dockerfile|README|API)(?:[（(].{0,10}[）)])?(?:设计|图)?$/;

/** Whether a Chinese phrase names a thing to deliver. */
export function isChineseThing(item: string): boolean {
  return item.length > 1 && item.length <= 24 && CHINESE_THING.test(item);
}

/** One document, drawing or program: what it contains is not separate work. */
const ONE_DOCUMENT =
  /\b(?:page|file|html|form|e-?mail|letter|report|table|spreadsheet|document|readme|agenda|list|post|ad|advert|resume|cv|quiz|slide|invitation|flyer|poster|schedule|summary|memo|outline|template|worksheet|article|essay|function|class|script|method|query|dockerfile|schema|story|logo|icon|image|chart|sheet|diagram|minutes|plan|note|message|paragraph|recipe|card|program(?:me)?|song|poem|text|readme)s?\b/i;
const HAS = /\b(?:with|containing|including|that has|which has|having|consisting of)\b|w\/|:\s*$/i;

/** Whether these words start to describe the content of one document: "a page with a header". */
export function beginsContent(words: string): boolean {
  const has = HAS.exec(words);
  return has !== null && ONE_DOCUMENT.test(words.slice(0, has.index));
}
