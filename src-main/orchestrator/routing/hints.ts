/**
 * Words that do not decide a route, but forbid to take a request for one step without a closer look. English
 * and Chinese words apply to every request, because people mix the two.
 */

/** Work that has parts, or a thing that is made of them. */
const LARGE =
  /\b(?:re-?)?(?:build|design|organi[sz]e|launch|structure|think)\b|\b(?:port|migrat\w*|re-?do|automat\w*|overhaul|moderni[sz]e|prepare|get ready|set ?up|produce|develop|implement|refactor|roll ?out|onboard\w*|everything|whole|entire|full|complete|from scratch|end[- ]to[- ]end|campaign|trip|itinerary|event|wedding|conference|course|curriculum|workshop|e?-?book|cookbook|web ?site|site|apps?|application|platform|system|crm|shop|store|dashboard|game|bot|engine|pipeline|workflow|business|company|startup|package|bundle|series|strategy|proposal|reports?|presentation|deck|slides|thesis|project|repo|code ?base|suite|server|service|archive|plan)\b/i;
/** Asks about the world beyond the material at hand. */
const INQUIRY =
  /\b(?:re?sea?rch\w*|investigat\w*|compar\w+|versus|vs|evidence|proof|proven|stud(?:y|ies)|trials?|papers?|literature|sources?|cit(?:e|ed|ation|ations|ing)|references?|links?|refs|latest|newest|recent(?:ly)?|current(?:ly)?|today's|trends?|market|competitors?|landscape|state of|outlets?|experts?|economists|scientists|scholars|independent|reviews|track record|forecasts?|forecasting|analysts?|disput\w+|controvers\w+|debat\w+|consensus|disagree\w*|claims?|fact[- ]?check\w*|really (?:true|work)|(?:is|are) it true|myth|out there|known about|findings|impact|effects? of|statistics|how (?:have|has|do) other|(?:main|biggest|major|leading|key) (?:players|companies|brands|vendors)|pros and cons|find out|look into|looking into|dig\w*|survey|deep dive|background|history of|overview of|everything about|news|since (?:19|20)\d\d|what happened|who (?:owns|makes|sells|won))\b/i;
const CHINESE_LARGE =
  /从[零头]|重[做新建写构]|搭|建[立设个]|开发|迁移|策划|筹备|方案|计划|规划|一?整?[全整]套|整个|所有|全部|逐|官?网站?(?!络)|系统|平台|小程序|应用|商城|店|课程|教程|活动|婚礼|旅[行游]|行程|攻略|报告|PPT|项目|流程|自动|整理|归类|合集|手册|发布|上线|部署|测试|大会|年会|全流程|一条龙/i;
const CHINESE_INQUIRY =
  /研究|调研|调查|论文|文献|来源|出处|依据|证据|(?<!这|我的?|这些|这份)数据(?!库|框|文件|\.|集|透视)|最新|近[年几来两三五十\d]|这几年|进展|现状|趋势|格局|市场|竞[品争]|行业|对手|口径|学[界术者]|专家|机构|争[议论]|分歧|观点|看法|说法|靠谱|有没有用|真的吗|真假|对比|比较|利弊|优缺点|盘点|梳理|摸[一底清]|查[一证阅找]|了解|核[实查]|求证|考证|引用|链接|综述|报道|影响|原因分析|谁更|怎么[看说评]|哪家|测评|评测|前景|政策/;

/** Whether the request names work that usually has several parts. */
export function namesLarge(request: string): boolean {
  return LARGE.test(request) || CHINESE_LARGE.test(request);
}

/** Whether the request asks for something that may have to be looked up in several places. */
export function asksAbroad(request: string): boolean {
  return INQUIRY.test(request) || CHINESE_INQUIRY.test(request);
}
