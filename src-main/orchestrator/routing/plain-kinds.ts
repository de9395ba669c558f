/**
 * Kinds of request that are one step whatever their subject. Only these are taken for one step: that no rule finds
 * a plan or research in "make our docs searchable" says nothing about it.
 */
import { asksAbroad, namesLarge } from './hints.ts';

const POLITE =
  "^(?:(?:hi|hey|hello|ok|okay|please|pls|kindly|can you|could you|would you|will you|just|quick(?:ly)?|now|help me(?: to)?|i need (?:you )?to|i(?:'d| would) like (?:you )?to|i want (?:you )?to)[\\s,!.:]+)*";
const CHINESE_POLITE =
  '^(?:请你?|帮我|帮忙|麻烦你?|你好|您好|能不能|能|可以|给我|我想|我要|[，,\\s])*';
/** A file, or what is given with the request. */
const GIVEN =
  '(?:\\w-*\\.[a-z]{1,5}\\b|\\b(?:this|these|below|above|attached|following|it)\\b|“”|:\\s*\\S|这|下面|以下|附件|原文|：)';
const ANYTHING_GIVEN = new RegExp(GIVEN, 'i');

const SMALL_TALK =
  /^(?:hi|hey|hello|thanks|thank you|good (?:morning|evening|night)|how are you|你好|您好|谢谢|早上好|晚安|在吗)[\s\w,!.?？！。]{0,16}$/i;
/** Asks what a word means. */
const DEFINITION =
  /^(?:what (?:is|are|does)|what's|define|explain (?:the term|what))\b(?!.*\b(?:latest|current|recent|best|state|status|evidence|research on|stud(?:y|ies)|sources|say|prices?|known|happening|going on|new)\b)(?=[^,;:.]{1,36}[?.]?$)|^什么是[^，,。；;]{1,16}[？?]?$|^[^，,。；;]{1,30}(?:是什么意思|是什么|是啥)[？?]?$/i;
/** Asks for what is known for good, or about the matter at hand; not for news, prices or opinions. */
const KNOWLEDGE = new RegExp(
  `${POLITE}(?:(?:what|when|where|who)(?:'s| is| are| was| were| does| did| do (?:i|you|we))\\b|who (?:wrote|invented|painted|discovered|directed|composed)\\b|what (?:time|day|year|colou?r|size|happens if|command|word)\\b|how (?:to|do (?:i|you|we)|can i|should i|does|is|are|was|did|many|long|far|old|tall|big|deep|high)\\b|why (?:is|does|do|am|are|did|was|won't|can't|isn't|doesn't) (?:my|the|this|it|i|that)\\b|in which (?:year|country|city)\\b|(?:what's|what is) the difference\\b|explain\\b|describe\\b|define\\b|(?:tell|show|teach) me (?:what|how|why|who|when|where)\\b|is (?:it|this|that|there)\\b|can (?:i|you|this|it)\\b|should i\\b|does (?:it|this)\\b)`,
  'i',
);
const OF_THE_DAY =
  /\b(?:happening|going on|think(?:s|ing)?|brands?|cheaper|cheapest|best|better|worth|costs?|prices?|pric\w+|right now|these days|nowadays|still|anymore|this (?:year|month|week)|regulat\w*|laws?|polic(?:y|ies)|doing about|deal with|cities|countries|companies)\b|最好|价格|多少钱|最近|现在|如今|今年|年轻人|城市|公司|企业/i;
const CHINESE_KNOWLEDGE =
  /什么意思|是什么|什么是|是谁|是哪|哪[一个]?年|什么时候|几点|几[个天岁年]|多少(?!钱)|怎么(?![看说想样]|评价|发展)|如何(?!看|评价|发展)|区别|等于|首都|为什么.{0,20}(?:报错|慢|失败|不能|不行|没有?|不了)|报错|解释一?下|(?:^|[\u3400-\u9fff]\s?)explain/i;
const CALCULATION =
  /^[\d\s.,+*/()x×÷^%=?-]{3,}$|\b\d+(?:\.\d+)? ?(?:%|percent) (?:of|off)\b|\bsquare root\b|\bconvert \d|\bhow (?:much|many) (?:is|are) \d/i;

const TEXT_WORK = new RegExp(
  `${POLITE}(?:translate|summari[sz]e|sum up|tl;?dr|paraphrase|rephrase|reword|rewrite|proofread|correct|shorten|simplify|polish|condense|edit|improve|reply to|answer|respond to|fix the (?:grammar|spelling|punctuation|wording)|(?:\\w+[- ]){0,3}summary of)\\b`,
  'i',
);
const CHINESE_TEXT_WORK = new RegExp(
  `${CHINESE_POLITE}(?:把|将|对)?.{0,40}?(?:翻译|总结|概括|润色|改写|校对|缩写|扩写|改得|翻成|译成|纠正|回复|summari[sz]e|translate|rewrite|polish)`,
  'i',
);
/** A program that is described: what it does is not work to do now. */
const PROGRAM =
  /\b(?:write|give|create|make|generate|code|need|want|show|produce|implement)\b[^,.;]{0,50}\b(?:functions?|scripts?|regex|regular expression|one-liner|snippet|macro|formula|(?:sql|cypher|graphql) query|query that|component|(?:python|java|c\+\+|typescript|shell|bash|git|unix|linux) (?:class|command|program|method))\b|(?:写|做|给|来|生成)[^，,。；;]{0,20}(?:脚本|函数|正则|公式|SQL|排序|算法|component|function|script|regex|query)/i;
const BESIDES_PROGRAM =
  /\b(?:tests?|docs?|documentation|deploy\w*|docker\w*|ci|package|publish|library|suite)\b|测试|文档|部署|发布/i;
/** One text of a kind that is written in one go. */
const TEXT_NAMES =
  '(?:e-?mail|note|letter|message|reply|poem|haiku|limerick|joke|slogan|tagline|caption|tweet|post|bio|invitation|toast|story|sentence|paragraph|names|ideas|title|riddle|subject line|product description|cover letter|packing list|shopping list)s?';
const SHORT_TEXT = new RegExp(
  `${POLITE}(?:(?:write|draft|compose|give me|suggest|come up with|tell me|make up|think of|create|generate|what (?:are|would be))\\b[^,.;:]{0,40}\\b${TEXT_NAMES}\\b|(?:(?:an?|\\d+|two|three|five|ten|short|good|polite)\\s)*${TEXT_NAMES} (?:to|for|about)\\b)`,
  'i',
);
const CHINESE_SHORT_TEXT = new RegExp(
  `${CHINESE_POLITE}(?:给[^，,。]{1,10})?(?:写|起草|拟|回|编|讲|起|取|想|generate|write)[^，,。；;]{0,20}(?:邮件|短信|信|通知|消息|回复|诗|笑话|标题|口号|祝福语?|请假条|故事|名字|英文名|句|slogan|email|caption)`,
  'i',
);
/** Small work on something given. */
const SMALL_WORK = new RegExp(
  `${POLITE}(?:rename|resize|crop|rotate|flip|convert|count|format|reformat|indent|round|capitali[sz]e|calculate|compute|zip|unzip|list|print|open|show|read|sort(?! out)|order|swap|replace|delete|remove|find|parse|plot|draw|chart|check|spell-?check|strip|trim|update|how many)\\b.{0,80}${GIVEN}`,
  'i',
);
const SMALL_CHANGE = new RegExp(
  `${POLITE}(?:make|add|change|fix|set|turn|move|center|centre|align|bold|write|save)\\b.{0,60}(?:\\b[\\w-]+\\.[a-z]{1,5}\\b|\\b(?:the|a|my) (?:[\\w-]+ ){0,2}(?:header|footer|button|title|headline|line|column|row|cell|font|colou?r|typo|margin|padding|border|link|image|icon|logo|background|field|label|comma|date)\\b)`,
  'i',
);
const CHINESE_SMALL_WORK = new RegExp(
  `${CHINESE_POLITE}(?:把|将|给|用|从|统计|数|计算|算|删|改|画|查看|打开|读|rename|parse|convert).{0,40}`,
  'i',
);
const CHINESE_SMALL_VERB =
  /重命名|改名|转[成为换]|统计|数一?下|计算|排序|格式化|画|压缩|解压|删[掉除]?|加个|改成|裁剪|读|打开|rename|parse|convert|format/i;

const QUESTION = 'A question: one answer is enough.';
const MOST_CLAUSES = 2;
/** Clauses of a short text: tone, length, what to mention. */
const MOST_WISHES = 5;

/**
 * Which kind of one-step request this is, as a sentence for the user; null if it is none for certain.
 * `hasMaterial`: a text or code to work on came with the request.
 */
export function plainKind(request: string, hasMaterial = false): string | null {
  const text = request.trim();
  if (SMALL_TALK.test(text)) return 'A greeting.';
  if (DEFINITION.test(text) || CALCULATION.test(text)) return QUESTION;
  const isGiven = hasMaterial || ANYTHING_GIVEN.test(text);
  if (isGiven && (TEXT_WORK.test(text) || CHINESE_TEXT_WORK.test(text)) && clausesOf(text) <= 3)
    return 'Work on one text.';
  const isSmall = SMALL_WORK.test(text) || SMALL_CHANGE.test(text);
  const isFile = /\w-*\.[a-z]{1,5}\b/i.test(text);
  if (isSmall && isFile && clausesOf(text) <= MOST_CLAUSES) return 'One small piece of work.';
  if (asksAbroad(text)) return null;
  if (PROGRAM.test(text)) return BESIDES_PROGRAM.test(text) ? null : 'One program.';
  if (KNOWLEDGE.test(text) || CHINESE_KNOWLEDGE.test(text))
    return OF_THE_DAY.test(text) || clausesOf(text) > 3 ? null : QUESTION;
  const isText = SHORT_TEXT.test(text) || CHINESE_SHORT_TEXT.test(text);
  if (isText && clausesOf(text) <= MOST_WISHES) return 'One short text.';
  if (namesLarge(text) || clausesOf(text) > MOST_CLAUSES) return null;
  const isChineseWork = isGiven && CHINESE_SMALL_WORK.test(text) && CHINESE_SMALL_VERB.test(text);
  return isSmall || isChineseWork ? 'One small piece of work.' : null;
}

function clausesOf(request: string): number {
  return request
    .split(/[,;:，；：、。!?！？\n]+|\.\s|\b(?:and|then|plus)\b|然后|并且?|再|以及|还有/)
    .filter((clause) => clause.trim() !== '').length;
}
