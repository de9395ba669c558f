/**
 * Software described by its parts: "a library system with login, lending and reminders, front and back end
 * apart, with docs and tests" has one verb and is weeks of work. But a game with a score and a pause key is
 * one file, so only parts that are separate work count, and only in a product that can have them.
 */
import type { Sentence } from './sentences.ts';

const PRODUCT =
  /\b(?:make|build|create|develop|write|implement|program|code|need|want|set (?:me )?up)\s(?:me\s|us\s)?(?:an?|the|my|our|one)?\s?(?:(?!for\b|about\b|of\b|on\b|that\b|with\b|to\b|and\b|or\b|post\b)[\w-]+\s){0,5}?(?:apps?|application|system|platform|web ?site|site|shop|store|marketplace|game|bot|tool|service|portal|tracker|adventure|platformer|crm|plugin|extension|backend|software|simulator|editor|dashboard|forum|wiki|compiler|interpreter|engine|framework|marketplace|planner|cms|clone)\b(?!\s(?:idea|name|ad|review|description|logo|post|story|plan))/i;
const CHINESE_PRODUCT =
  /(?:做|开发|写|搭建?|建|实现|设计|弄|整|要)(?:一?[个套款]|个)?[^，,。、：:]{0,16}?(?:系统|平台|网站|小程序|app|应用|商城|机器人|游戏|工具|软件|后台|论坛|插件|知识库|编译器|引擎|社区|商店|(?:landing )?page|(?:web)?site|platform|system|dashboard|tool|bot|crm|plugin|extension|service|backend)(?!的?(?:名字|介绍|文案|架构|海报|广告|标语|思路|方案|logo))/i;

/** Each of these is separate work in any product. */
const PART =
  /\b(?:log-?ins?|sign[- ]?(?:in|up|on)s?|sso|history|mobile|backups?|import|auth(?:entication)?|accounts?|payments?|stripe|checkout|carts?|admin|databases?|sqlite|postgres|back ?ends?|front ?ends?|api|multiplayer|save (?:games?|system)|(?:map|level|text) editor|editor|ai (?:opponent|player)?|opponent|notifications?|alerts?|reminders?|sync(?:ing)?|inventory|stock|search|chat|messaging|leaderboards?|dashboards?|reports?|reporting|export|uploads?|permissions?|roles|localisation|localization|server|booking|calendar|ordering|orders|emails?|moderation|lending|statistics|analytics|charts?|maps?|levels|enemies|boss|subscriptions?|invoices?|invoicing|scheduler|scheduling|offline|crawler|scraper)\b/gi;
const ENGINEERING =
  /\b(?:tests?|test suite|docs|documentation|deploy(?:ment|ed|s)?|docker(?:file|ized|ised)?|containeri[sz]ed|installers?|ci|(?:separate|separated|apart)|runbook|handbook|manual|guide)\b/gi;
const CHINESE_PART =
  /登录|注册|支付|购物车|后台|管理端|主管端|员工端|后端|数据库|聊天|提醒|统计|报表|审核|审批|通知|对接|同步|共享|权限|搜索|打印|课程表|扫码|点单|下单|库存|导出|推送|评论|预约|图表|分类|地图|存储|借还|订单|会员|优惠券|多人|排行榜|存档|编辑器|上传|消息|打卡|签到|提问|问答|推荐|备份|历史|检索|导入/g;
const CHINESE_ENGINEERING =
  /测试|文档|部署|docker|镜像|前后端分[开离]|说明|手册|接口设计|CI|安装包|脚本/gi;

const PARTS = 5;
const FUNCTIONS = 4;
const PARTS_WITH_ENGINEERING = 4;

/** The parts of a requested product if there are many; else null. */
export function productParts(orders: readonly Sentence[]): readonly string[] | null {
  const at = orders.findIndex(({ text, isChinese }) =>
    (isChinese ? CHINESE_PRODUCT : PRODUCT).test(text),
  );
  const first = orders[at];
  if (first === undefined) return null;
  const description = orders
    .slice(at)
    .map(({ text }) => text)
    .join(' ')
    .slice(0, 800);
  if (/\bsimple\b|\bsingle[- ](?:page|file)\b|简单|单页/i.test(first.text.slice(0, 60)))
    return null;
  // A Chinese sentence may name its parts in English.
  const partRules = first.isChinese ? [CHINESE_PART, PART] : [PART];
  const engineeringRules = first.isChinese ? [CHINESE_ENGINEERING, ENGINEERING] : [ENGINEERING];
  const parts = distinct(description, partRules);
  const engineering = distinct(description, engineeringRules);
  const all = [...parts, ...engineering];
  if (parts.length >= PARTS) return all;
  if (engineering.length > 0 && itemsOf(first.text) >= PARTS) return all;
  if (parts.length >= 2 && functionsOf(first.text) >= FUNCTIONS) return all;
  const isWhole = engineering.length > 0 && parts.length >= 2;
  return isWhole && all.length >= PARTS_WITH_ENGINEERING ? all : null;
}

/** The number of short items in the enumeration of a sentence. */
function itemsOf(sentence: string): number {
  const start = /[:：]|\bwith\b|w\/|包含|包括|要有|支持|有/.exec(sentence);
  if (start === null) return 0;
  const items = sentence
    .slice(start.index + start[0].length)
    .split(/[,，、]|\band\b|\bplus\b|和|以及/);
  return items.filter((item) => item.trim() !== '' && item.trim().length < 40).length;
}

/** The number of functions in "…that watches the shops, keeps a history, sends alerts". */
function functionsOf(sentence: string): number {
  const at = sentence.search(/\b(?:that|which)\s\w+s\b/);
  if (at < 0) return 0;
  const clauses = sentence.slice(at).split(/,\s(?:and\s)?|\sand\s/);
  return clauses.filter((clause) => /^(?:that |which )?[a-z]+s\s/.test(clause)).length;
}

function distinct(text: string, rules: readonly RegExp[]): string[] {
  const found = rules.flatMap((rule) =>
    [...text.matchAll(rule)].map(([word]) => word.trim().toLowerCase()),
  );
  return [...new Set(found)];
}
