import type { Step } from './step.ts';

const SHORT = 110;
const FILE = /\b[\w/-]+\.[a-z]{1,5}\b/gi;
/** Affects more than one thing, or creates something new. */
const MANY =
  /\b(?:all|every|each of|\d{2,} [a-z]+s|files|folders?|tests?|repo|project|app)\b|所有|全部|每|逐|文件夹|项目|测试|应用/i;
const TOUCHES =
  /^(?:open|read|rename|add|fix|remove|delete|correct|format|reformat|sort|indent|replace|trim|tidy|save|find|change|strip|drop|round|highlight|move|make .{2,30}(?:er|smaller|bold|red|blue|green)|set|turn|split|join|crop|resize|convert|cent(?:er|re)|align|mute|halve|lock|stop|restart|start|skip|hide|shorten)\b/i;
const CHINESE_TOUCHES =
  /^(?:给|把|将|在)?.{0,12}?(?:改|加|修|删|去|换|调|打开|裁剪|缩小|放大|存|导出|做成图|转成)/;

/** Whether a short request only makes small changes to one thing: many verbs, but one step. */
export function isSmallEdit(request: string, steps: readonly Step[]): boolean {
  if (request.length > SHORT || steps.length < 2 || steps.some(({ inTurn }) => inTurn))
    return false;
  if (MANY.test(request)) return false;
  if (new Set(request.toLowerCase().match(FILE)).size > 1) return false;
  return steps.every(({ what }) => TOUCHES.test(what) || CHINESE_TOUCHES.test(what));
}
