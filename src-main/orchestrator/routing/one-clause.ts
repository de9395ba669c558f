/** Longer requests go through all rules. */
const MOST_CHARS = 80;
const MOST_HAN = 14;

/** Joins clauses, lists things, or starts another line. */
const JOINED =
  /[\n,;:，；：、。/]|[.!?！？]\s*\S|\b(?:and|then|plus|also|with|after|before|&)\b|\d[.)]|[然再并和与及同后先]/i;
/** May ask for research, several things, or a skill. */
const HINTS_AT_RULES =
  /s[eo]ur|cit(?:e|ation)|litera|paper|stud|surve|revie|compar|evid|invest|\brese|\bresr|search|find out|look into|report|project|system|app\b|site|pipeline|plan|migrat|upgrade|set ?up|build|develop|skill|调研|研究|综述|文献|来源|出处|资料|论文|调查|对比|系统|项目|开发|搭建|迁移|升级|规划|计划|全套|技能/i;

/**
 * Whether a request is one short clause that no rule could route anywhere else. About half of all prompts
 * are, and loading the rules costs a process tens of milliseconds.
 */
export function isOneClause(prompt: string): boolean {
  const text = prompt.trim();
  if (text.length > MOST_CHARS) return false;
  const han = text.match(/[\u3400-\u9fff]/g)?.length ?? 0;
  return han <= MOST_HAN && !JOINED.test(text) && !HINTS_AT_RULES.test(text);
}
