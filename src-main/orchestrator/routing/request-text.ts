/**
 * The request within a prompt. Users paste code, letters and lists, whose text says nothing about the
 * number of steps in the request.
 */

/** How much of a very long request is read: the actual request is at its start or end. */
const HEAD = 4_000;
const TAIL = 1_500;

/** Tasks on a text: what follows the colon is that text. */
const TEXT_TASK =
  /^(?:(?:please|pls|can you|could you|would you|just|help me(?: to)?|kindly)\s+)*(?:summari[sz]e|sum up|translate|paraphrase|rephrase|reword|rewrite|proofread|correct|explain|shorten|simplify|edit|improve|polish|format|sort(?! out)|order|alphabeti[sz]e|rank|count|classify|categori[sz]e|label|extract|answer|reply|respond|critique|condense|tl;?dr|fix the (?:grammar|spelling|punctuation|wording)|(?:check|review|correct) (?:the|my|this|these) (?:grammar|spelling|text|wording|punctuation|sentences?|paragraphs?|list|notes?)|(?:turn|convert|transform|make|change) (?:this|these|the following|the (?:list|text|notes?|steps)|it)\b.{0,60}? (?:in)?to|put (?:this|these|the)\b|(?:is|are|does|do (?:you|we|they|i|these|those)|what|which|how|why|who|where|when)\b)/i;
const CHINESE_TEXT_TASK =
  /^(?:请|帮我|帮忙|麻烦|你|您|能否|可以|一下)*.{0,20}?(?:翻译|总结|概括|归纳|润色|改写|校对|排序|排列|解释|缩写|扩写|回复|回答|提取|分类|转成|改成|翻成|译成|整理成|做成表格|什么意思|多少|怎么|为什么|检查(?:语法|错别字|语病)|纠正|批改)/;

/** Some verbs for texts also apply to software; then the work to do follows the colon. */
const IMPROVES_SOFTWARE =
  /^(?:(?:please|can you|could you|help me)\s)*(?:rewrite|improve|simplify|edit|polish|fix|format|change|turn|convert|transform|make)\s(?:(?:our|my|the|this|whole|entire|old|existing|current|legacy|\w+)\s){1,4}(?:apps?|application|deployment|repo|code ?base|web ?site|site|module|backend|frontend|service|server|build|setup|project|database|system|process|workflow|docs|pipeline|game|bot|tool|checkout|api|infrastructure|test suite)$/i;

const SPEECH = /(?:\b(?:said|says|wrote|writes|told me|reads|goes|replied)|说|写道|回复道|表示)$/i;
const CREATIVE =
  /\b(?:write|tell|compose|invent|continue)\b.{0,80}\b(?:story|tale|poem|joke|fable|scene|novel|song|lyrics|dialogue|plot)\b|(?:写|讲|编|续写|创作).{0,20}(?:故事|笑话|童话|诗|小说|剧本|歌词|剧情|寓言)/i;
/** Notes follow as raw material. */
const FROM_NOTES =
  /\b(?:these|this|the following|following|my)\s(?:\w+\s){0,2}(?:notes?|text|list|lines?|items?|words|sentences?|e-?mail|message|paragraph|data|ideas?|points|names|ingredients|keywords|facts)$|\bthe (?:words|names|numbers|terms|keywords|ingredients)$|(?:这些|以下|下面|如下)(?:的)?(?:笔记|内容|文字|要点|想法|句子|单词|数据|信息|关键词|素材)$/i;
/** Refers to a text before a colon: that text follows the colon. */
const POINTS_AT_TEXT =
  /\b(?:(?:this|that|these|the following|following)\s(?:[\w-]+\s){0,2}(?:text|paragraph|passage|sentence|message|e-?mail|letter|notes?|draft|statement|quote|abstract|caption|clause|poem|post|review|transcript|minutes|wording|line|string|json|url|address|name|reply|announcement|description)s?|(?:text|paragraph|passage|sentence|message|e-?mail|letter|notes?|draft|statement|post|review|clause)s? below)\b[^:]{0,60}$/i;
const CHINESE_POINTS_AT_TEXT =
  /(?:这|下面|以下|如下|下列|那)[一二三四五两几\d]{0,2}(?:段|句|篇|封|条|份|则|首|个|些)?的?.{0,8}?(?:话|文字|文本|文章|句子|段落|短文|消息|短信|邮件|通知|摘要|稿子?|回复|评论|记录|纪要|留言|笔记|文案|公告)[^：:]{0,24}$|(?:这|下面|以下)(?:这)?[一两几]?(?:段|句|篇|封)[^：:]{0,24}$/;
const FROM_WHAT_FOLLOWS =
  /\b(?:from|of|using|with|about) (?:this|these|the following)$|^(?:请|帮我)?(?:根据|用|拿|按照?)(?:这些|以下|下面)(?!.*(?:步骤|任务))[^：:]{0,14}$/i;
/** Asks to write a message: its content follows. */
const MESSAGE =
  /^(?:(?:please|pls|can you|could you|help me)\s)*(?:write|draft|compose|send|post|text|create)\b[^,:]{0,50}\b(?:message|e-?mail|note|text|tweet|announcement|post|letter|sign|reminder|reply|invitation|sms|notice)\b[^,:]{0,40}$|^(?:请|帮我|给我|帮忙)*(?:给[^，,]{1,8})?(?:写|发|起草|拟|编|回)[^，,]{0,10}(?:消息|短信|邮件|通知|微信|朋友圈|信|公告|启事|便条|留言|推文|微博)$/i;
/** The text that follows is to be carried out. */
const TO_BE_DONE =
  /\b(?:do|does|done|carry out|execute|perform|follow|handle|complete|implement|asks?|wants?)\b|完成|执行|照着|照做|办理|处理|做到|任务|要求(?!扩|缩|改|写)/i;
const REFERS =
  /\b(?:this|these|that|the following|below|above|attached|text|email|message|letter|article|paragraph|passage|steps|list|notes)\b|以下|下面|上面|这段|这些|这篇|这封|上述|下列|原文/i;

/** The request, with quotations replaced by an empty pair of quotation marks. */
export function requestText(prompt: string): string {
  const outside = endsOf(withoutCode(endsOf(withoutBlocks(prompt), 64)).trim(), 16);
  return withoutMaterial(endsOf(withoutQuotations(outside).trim(), 1));
}

/** The start and the end of a long text, `share` times as long as the final limits. */
function endsOf(text: string, share: number): string {
  const [head, tail] = [HEAD * share, TAIL * share];
  return text.length <= head + tail ? text : `${text.slice(0, head)}\n${text.slice(-tail)}`;
}

/** Whether a line asks for work on a text, which precedes or follows it. */
export function isTextTask(line: string): boolean {
  const text = line.trim().slice(0, 200);
  return TEXT_TASK.test(text) || CHINESE_TEXT_TASK.test(text);
}

/** A line of code without a fence. */
const BARE_CODE =
  /^(?:\s*(?:#(?!\s*\d)\s?\S|\/\/|\/\*|import\s+\w+\s*$|from\s+[\w.]+\s+import\b|(?:def|class|function|func|fn)\s+\w+.*[:{]\s*$|(?:for|if|while|elif|else|try|with)\b.*:\s*$|(?:const|let|var)\s+\w+\s*=|[\w.[\]]+\s*[-+*/]?=\s*\S|\w[\w.]*\(.*\)\s*;?\s*$|\$\s\w|<\/?\w+[^>]*>)|.*[;{}]\s*$|(?:\t| {4,})(?![-*•+\d])\S)/;

/** Removes fenced code, quoted mail and tables. Reads the whole prompt: a fence may close anywhere. */
function withoutBlocks(prompt: string): string {
  const lines: string[] = [];
  let fence: string | null = null;
  for (const line of prompt.split('\n')) {
    if (line === '') {
      if (fence === null) lines.push(line);
      continue;
    }
    const start = line.trimStart();
    const mark = start.startsWith('```') ? '```' : start.startsWith('~~~') ? '~~~' : null;
    if (fence !== null) {
      if (mark === fence) fence = null;
      continue;
    }
    if (mark !== null) fence = mark;
    else if (!start.startsWith('>') && !start.startsWith('|')) lines.push(line);
  }
  return lines.join('\n');
}

/** Removes lines of code that are in no fence. */
function withoutCode(text: string): string {
  const lines = text.split('\n');
  const isCode = lines.map((line) => BARE_CODE.test(line.slice(0, 200)));
  // One such line may be prose; several are a program.
  const isProgram = isCode.filter(Boolean).length > 1;
  return lines.filter((_, i) => !(isProgram && isCode[i])).join('\n');
}

const CLOSING: Readonly<Record<string, string>> = {
  ...{ '"': '"', '“': '”', '„': '“', '«': '»', '`': '`' },
  ...{ '「': '」', '『': '』', '《': '》', '＂': '＂' },
};

const MARKS = /["“”„«»`「」『』《》＂]/g;

/** Removes text in quotation marks. An unclosed mark quotes nothing. */
function withoutQuotations(text: string): string {
  const marks = [...text.matchAll(MARKS)].map(({ index }) => index);
  // Scans backwards for the closing mark of each opening one. A forward search for each would take quadratic
  // time on a prompt full of marks.
  const closedAt = new Map<number, number>();
  const next = new Map<string, number>();
  for (const at of marks.toReversed()) {
    const mark = text[at] ?? '';
    const end = next.get(CLOSING[mark] ?? '');
    if (end !== undefined) closedAt.set(at, end);
    next.set(mark, at);
  }
  const kept: string[] = [];
  let from = 0;
  for (const at of marks) {
    const end = closedAt.get(at);
    if (at < from || end === undefined) continue;
    kept.push(text.slice(from, at), '“”');
    from = end + 1;
  }
  kept.push(text.slice(from));
  return kept.join('');
}

/** Removes the text that a request refers to. */
function withoutMaterial(text: string): string {
  const paragraphs = text.split(/\n[ \t]*\n/).filter((paragraph) => paragraph.trim() !== '');
  const first = paragraphs[0] ?? '';
  const last = paragraphs.at(-1) ?? '';
  if (paragraphs.length > 1) {
    if (isTextTask(first) && (REFERS.test(first.slice(0, 300)) || /[:：]\s*$/.test(first))) {
      return cutAtColon(first);
    }
    if (isTextTask(last) && REFERS.test(last.slice(0, 300))) return cutAtColon(last);
  }
  return paragraphs.map(cutAtColon).join('\n\n');
}

function pointsAtText(head: string): boolean {
  if (TO_BE_DONE.test(head)) return false;
  return (
    FROM_WHAT_FOLLOWS.test(head) ||
    MESSAGE.test(head) ||
    POINTS_AT_TEXT.test(head) ||
    CHINESE_POINTS_AT_TEXT.test(head)
  );
}

/** Cuts a paragraph at the colon that introduces a text, a story or a quotation. */
function cutAtColon(paragraph: string): string {
  const colon = paragraph.search(/[:：](?!\/\/)/);
  if (colon < 0 || colon > 300) return paragraph;
  const start = Math.max(
    ...['.', '!', '?', '。', '！', '？', '\n'].map((mark) => paragraph.lastIndexOf(mark, colon)),
  );
  const head = paragraph.slice(start + 1, colon).trim();
  const isOfText = [head, head.slice(head.search(/[^,，]*$/)).trim()].some(isTextTask);
  if (IMPROVES_SOFTWARE.test(head)) return paragraph;
  if (isOfText || CREATIVE.test(head) || FROM_NOTES.test(head) || pointsAtText(head))
    return paragraph.slice(0, colon);
  if (!SPEECH.test(head)) return paragraph;
  // A quotation ends with its sentence; the request may continue after it.
  const end = paragraph.slice(colon).search(/[.!?。！？](?:\s|$|“)|“”/);
  return `${paragraph.slice(0, start + 1)} ${end < 0 ? '' : paragraph.slice(colon + end + 1)}`;
}
