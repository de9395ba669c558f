import type { MadeCall } from '../../agents/types.ts';
import type { ChatMessage } from '../../models/types.ts';
import { answerSentences } from './answer-sentences.ts';
import { COMMAND_TOOLS, isCommand } from './program-source.ts';
import { actsOnPage, isBrowserCall } from './shown-pages.ts';
import { type CheckedFact, missing } from './types.ts';

type Action = 'ran' | 'changed' | 'looked up' | 'sent';

const I_DID =
  "\\b(?:I(?:'ve| have)?|we(?:'ve| have)?)\\s+(?:(?:\\w+ly|also|just|now|then|already|first)\\s+)*";
/** What was done to which kind of thing: an edited paragraph is in the answer itself. */
const THING =
  '(?:files?|code|functions?|bugs?|tests?|config(?:uration)?|scripts?|projects?|repo(?:sitory)?|databases?|packages?|dependenc(?:y|ies)|servers?|apps?|components?|modules?|class(?:es)?|imports?|folders?|director(?:y|ies)|[\\w-]+\\.[a-z]{1,4}\\b)';
const CLAIMED: readonly (readonly [Action, RegExp])[] = [
  [
    'ran',
    new RegExp(
      `${I_DID}(?:ran|re-?ran|executed|installed|compiled|built|deployed|started|launched)\\b(?! (?:through|into|out|over|by|across))|(?:已经?|我)[^。，]{0,6}(?:运行|执行|安装|部署|编译)了`,
      'i',
    ),
  ],
  [
    'changed',
    new RegExp(
      `${I_DID}(?:fixed|updated|changed|edited|modified|refactored|renamed|moved|deleted|removed|added|implemented|replaced|corrected)\\b[^.!?]*\\b${THING}|(?:已经?|我)[^。，]{0,6}(?:修复|更新|修改|删除|重命名|移动)了[^。]{0,20}(?:文件|代码|函数|脚本|配置|\\.\\w{1,4})`,
      'i',
    ),
  ],
  [
    'looked up',
    new RegExp(
      `${I_DID}(?:searched|looked (?:it |this )?up|fetched|browsed|visited|downloaded)\\b|(?:已经?|我)[^。，]{0,6}(?:搜索|查阅|访问|下载)了`,
      'i',
    ),
  ],
  [
    'sent',
    new RegExp(
      `${I_DID}(?:sent|e-?mailed|posted|published|uploaded|committed|pushed|booked|ordered|scheduled|submitted)\\b|(?:已经?|我)[^。，]{0,6}(?:发送|发布|上传|提交|预订)了`,
      'i',
    ),
  ],
];
const NOT_DONE =
  /\b(?:not|never|will|would|can|could|should|might|may|if|unable|cannot|couldn|didn|haven|assum\w+|suppose|as if)\b|n't\b|[没未无]|不(?:能|会)|如果/i;
/** An answer that says nothing but that it is done. */
const ONLY_DONE =
  /^\W*(?:(?:it(?:'s| is)|that(?:'s| is)|all|everything(?:'s| is)?|the task is|task)\s+)?(?:done|finished|completed?|all set|ready|fixed|taken care of)\W*$|^\W*(?:任务)?(?:已经?)?(?:全部)?(?:完成|搞定|做好)了?\W*$/i;

/** The user asks for words to send or to print, in which it is said what was done. */
const ASKS_FOR_WORDS =
  /\b(?:write|draft|compose|prepare|give me|rewrite|rephrase|improve|polish|translate|proofread|shorten|continue)\b[^.!?\n]{0,60}\b(?:e-?mails?|letters?|stor(?:y|ies)|poems?|speech|essay|posts?|tweet|message|reply|dialogue|cv|resume|haiku|blog|article|announcement|invitation|diary|monologue)\b|(?:写|起草|翻译|改写|润色|续写)[^。！？\n]{0,12}(?:邮件|信|故事|诗|演讲|文章|短信|回复|文案|日记|作文|对话|通知)/i;
/** And for something to be done with them, or for software, which then has to be done. */
const ASKS_FOR_ACTS =
  /\b(?:send|save|store|upload|publish|submit|run|execute|install|fix|deploy|file|apps?|generator|handler|web ?sites?|programs?|code|functions?|scripts?|tests?|components?|api|bot|parser|database|html|css|python|javascript|typescript)\b(?! of\b)|[\w-]\.[a-z]{2,4}\b|发送|保存|运行|提交|修复|文件|代码|程序|网站|脚本|测试/i;

/** Whether the answer is a text that the user ordered, whose “I” is not the agent. */
export function isOrderedText(prompt: string): boolean {
  return ASKS_FOR_WORDS.test(prompt) && !ASKS_FOR_ACTS.test(prompt);
}

/** Tools that write files, beside programs and skills. */
const FILE_TOOLS = [
  ...['sandbox_file', 'create_app_project', 'app_write_file', 'app_run_command'],
  'generate_slides',
];
const WRITES = ['invoke_skill', 'execute_script', 'execute_code', 'shell_command'];
const TOOLS_OF: Readonly<Record<Action, readonly string[]>> = {
  ran: [...COMMAND_TOOLS, 'invoke_skill', 'run_tests', 'app_start_server', 'app_check'],
  changed: [...WRITES, ...FILE_TOOLS],
  'looked up': ['web_search', 'fetch_page', 'delegate_to_research', ...WRITES],
  sent: WRITES,
};

/** Facts about actions that an answer claims, and that no call of the run or the conversation before it made. */
export function checkActions(
  answer: string,
  calls: readonly MadeCall[],
  prompt = '',
): CheckedFact[] {
  if (isOrderedText(prompt)) return [];
  const done = calls.filter(({ status }) => status === 'ok');
  if (ONLY_DONE.test(answer)) {
    const hasEffect = done.some((call) => didIt('changed', call) || didIt('looked up', call));
    return hasEffect ? [] : [missing('The task is done', 'No call of this run did anything.')];
  }
  // What somebody says in quotation marks; a single word may be a name.
  const unquoted = answer.replaceAll(/"[^"\n]*"|“[^“”\n]*”|「[^「」\n]*」/g, (quotation) =>
    /^"\S*"$/.test(quotation) ? quotation : ' … ',
  );
  const sentences = answerSentences(unquoted);
  const facts: CheckedFact[] = [];
  for (const [action, pattern] of CLAIMED) {
    const sentence = sentences.find((one) => pattern.test(one) && !NOT_DONE.test(one));
    if (sentence === undefined || done.some((call) => didIt(action, call))) continue;
    // Code that was changed may stand in the answer.
    if (action === 'changed' && answer.includes('```') && calls.length === 0) continue;
    const claim = `“${sentence.trim().slice(0, 160)}”`;
    facts.push(missing(claim, 'No call of this run did that.'));
  }
  return facts;
}

function didIt(action: Action, { name, arguments: given }: MadeCall): boolean {
  if (name === 'sandbox_file' && (given.operation === 'read' || given.operation === 'list')) {
    return false;
  }
  // Without any of these it reads a presentation.
  const hasChange = ['slides', 'title', 'theme'].some((slot) => given[slot] !== undefined);
  if (name === 'generate_slides' && !hasChange) return false;
  if (action === 'sent' && actsOnPage({ name })) return true;
  if (action === 'looked up' && isBrowserCall({ name })) return true;
  return TOOLS_OF[action].includes(name);
}

/** The calls of earlier turns, as far as the conversation still has them. */
export function callsOfConversation(messages: readonly ChatMessage[]): MadeCall[] {
  const results = new Map<string, string>();
  for (const message of messages) {
    if (message.role === 'tool') results.set(message.toolCallId, message.content);
  }
  return messages.flatMap((message) =>
    message.role !== 'assistant'
      ? []
      : (message.toolCalls ?? []).flatMap(({ id, name, arguments: given }): MadeCall[] => {
          const content = results.get(id);
          if (content === undefined) return [];
          const failed =
            (isCommand({ name }) && !/^exit code 0\b|^\{"success":true/.test(content)) ||
            /^(?:The tool failed|The user did not allow|The arguments of|There is no tool)/.test(
              content,
            );
          return [{ name, arguments: given, status: failed ? 'error' : 'ok', content }];
        }),
  );
}
