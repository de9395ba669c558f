/** Requests that explicitly name work of many parts. Applied to sentences that are not questions. */

const MAKE =
  '(?:build|create|set ?up|develop|design|implement|construct|make|write|automate|establish|produce|put together)';
const RULES: readonly RegExp[] = [
  /\banaly[sz]e and compare\b|\bcompare and analy[sz]e\b|\banalysis and comparison of\b/i,
  new RegExp(`\\b${MAKE}\\b.{0,60}\\b(?:pipeline|workflow|etl (?:job|process))\\b`, 'i'),
  new RegExp(
    `\\b${MAKE}\\b.{0,60}\\b(?:end[- ]to[- ]end|full[- ]stack|complete|entire|fully functional|production[- ]ready)\\s(?:\\w+[\\s-]){0,3}(?:solution|system|application|app|project|platform|service|website|product|process|suite|tool|shop|store)\\b`,
    'i',
  ),
  new RegExp(
    `\\b${MAKE}\\b.{0,60}\\b(?:system|application|app|project|platform|website|shop|game|product)\\b.{0,60}\\bfrom scratch\\b`,
    'i',
  ),
  /\b(?:refactor|migrate|port|rewrite|convert|restructure|translate|modernize|upgrade)\b.{0,30}\b(?:whole|entire|complete|full)\b.{0,20}\b(?:code ?base|project|repository|repo|application|app|backend|frontend)\b/i,
  /\bmigrate\b.{0,60}\bfrom\b.{1,40}\bto\b/i,
  // Try several approaches, and build something with the best one.
  /\b(?:try|test|compare|benchmark|evaluate|fit|train)\b.{3,120}\b(?:best|winner|winning|fastest|cheapest|strongest)\b.{0,60}\b(?:wrap|build|turn|switch|deploy|export|serve|write|implement|use it|expose|package|ship|put)\b/i,
  /\b(?:try|test|compare|benchmark|evaluate|fit|train)\b.{3,120}\b(?:wrap|deploy|serve|package|ship|expose|implement|switch to|roll out) (?:up )?(?:the )?(?:best|winner|winning|fastest|strongest)\b/i,
  /\bautomate\b.{0,40}\b(?:reporting|process|reports?|invoicing|bookkeeping|onboarding)\b/i,
];
const CHINESE_RULES: readonly RegExp[] = [
  /^(?:请|帮我|给我|麻烦|你|先|对|把|将|全面|详细|系统地?)*.{0,12}(?:对比分析|分析(?:并|和)(?:对比|比较)|比较分析)(?!的?意思|是|报告\.|方法)/,
  /(?:搭建|构建|建立|设计|实现|开发|做|创建|编写|打造).{0,20}(?:处理流程|工作流|流水线|数据管道|自动化.{0,6}流程|流程)/,
  /(?:搭建|构建|建立|实现|开发|做|打造|设计).{0,12}(?:端到端|全流程|一站式|完整)的?.{0,10}(?:方案|系统|流程|平台|应用|项目|网站|工具)/,
  /(?:试|测|比|对比|比较|评测|训练).{2,60}(?:选|挑|用|把)(?:出)?(?:其中)?(?:效果|误差|速度)?最[好优快准小低](?:的)?.{0,20}(?:封装|做成|部署|上线|实现|写|改成|换成|集成)/,
  /从(?:零|头|0)(?:开始)?(?:搭建|开发|实现|构建|做|写)/,
  /(?:重构|迁移|改写|重写|升级).{0,6}(?:整个|全部|所有)|(?:把|将)?整个.{0,10}(?:项目|代码库|仓库|系统).{0,10}(?:重构|迁移|改写|重写|升级|改成)/,
];

/** Asks for a plan and its execution, or for work in phases, in so many words. */
const PLANNED: readonly RegExp[] = [
  /\b(?:make|draft|write|create|draw up|come up with|start with|prepare)\b(?: me| us)? (?:an? |the |your )?(?:\w+[ -]){0,2}plan\b.{0,100}\b(?:then|afterwards|carry (?:it|that|them) out|execute|follow it|implement)\b/i,
  /\b(?:work|proceed|go|do (?:it|this|that)|split (?:it|this|the \w+))\b.{0,20}\b(?:in|into|by) (?:\w+ )?(?:phases|stages|milestones)\b/i,
  /\bphase (?:one|1)\b.{3,200}\bphase (?:two|2)\b/i,
  /\b(?:break|split|divide)\b.{0,40}\b(?:in)?to (?:\w+ )?(?:steps|tasks|sub-?tasks|phases|milestones)\b.{0,60}\b(?:do|execute|carry|implement|work|then)\b/i,
  /(?:先|制定|做|写|列|拟)(?:出|一)?[个份]?.{0,8}(?:计划|规划|plan)(?!书|表|是|[的]).{0,16}(?:然后|再|按|一步|执行|依次|等我)/i,
  /分(?:成|为)?\s?[一二三四五六七八几多两\d]*\s?个?\s?(?:阶段|步骤|步(?!走?[说讲介解])|phases?|steps?|stages?)(?!说|讲|介绍|解释).{0,30}(?:做|完成|实现|执行|搭|来|进行|推进)/i,
  /(?:拆[解分]?|break down|分解).{0,16}(?:子任务|步骤|任务|steps?|tasks?).{0,20}(?:执行|完成|实现|做|依次|逐)/i,
  /按(?:照)?(?:这个|该)?(?:计划|步骤|阶段)(?:执行|做|实施|推进|把|来)/,
];

/** The words that ask for work of many parts; null if there are none. */
export function complexityWords(sentence: string, isChinese: boolean): string | null {
  // A Chinese sentence may have English words in it.
  const rules = [...PLANNED, ...(isChinese ? CHINESE_RULES : []), ...RULES];
  for (const rule of rules) {
    const found = rule.exec(sentence)?.[0];
    if (found !== undefined) return found;
  }
  return null;
}

const SETS_UP = /\b(?:set ?up|install|configure|deploy|provision|host|monitoring|wire up)\b/i;
/** "grafana on the first", "alerts to telegram": a part and its place. */
const PLACED =
  /^(?:and |plus )?(?:set ?up |install |configure |deploy )?(?:(?:an?|the) )?[\w+]+(?:[ -][\w+]+){0,3} (?:in front\b|(?:on|onto|to|in|behind|for) (?!mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|\d)[a-z])/i;
const PLACES = 4;

/** The parts of a setup that spans many places, listed in the same sentence or the next. */
export function placedParts(sentences: readonly string[]): readonly string[] | null {
  const from = sentences.findIndex((text) => SETS_UP.test(text));
  if (from < 0) return null;
  for (const text of sentences.slice(from, from + 2)) {
    const parts = text.split(/[,:;]\s|\s(?=and an?\s)/).filter((item) => PLACED.test(item.trim()));
    if (parts.length >= PLACES) return parts;
  }
  return null;
}
