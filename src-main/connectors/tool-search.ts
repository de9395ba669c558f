import MiniSearch from 'minisearch';
import type { UsableTool } from './types.ts';

/** Tools that one search names. */
const MOST_FOUND = 20;

/** Words that say nothing about what a tool does. */
const STOP = new Set(
  'a an and are as at be by can do for from has have how i in is it its me my of on or our please show so that the them then there this to tool tools use using want was what when where which who will with would you your'.split(
    ' ',
  ),
);

/** Words that mean the same to a user of tools, each group once. */
const SAME: readonly (readonly string[])[] = [
  ['create', 'add', 'new', 'make', 'open', 'insert', 'post', '创建', '新建', '添加'],
  ['delete', 'remove', 'erase', 'drop', 'trash', '删除', '移除'],
  ['list', 'show', 'all', 'browse', 'enumerate', '列出', '列表'],
  ['get', 'read', 'fetch', 'view', 'retrieve', 'see', 'look', 'check', '查看', '读取', '获取'],
  ['search', 'find', 'query', 'lookup', 'locate', '搜索', '查找', '查询'],
  ['update', 'edit', 'change', 'modify', 'set', 'rename', '修改', '更新'],
  ['send', 'message', 'dm', 'write', '发送', '发消息', '消息'],
  ['file', 'document', '文件'],
  ['folder', 'directory', '文件夹', '目录'],
  ['issue', 'ticket', 'bug', '工单', '问题'],
  ['pull', 'pr', 'merge', '合并'],
  ['repo', 'repository', 'repositories', '仓库'],
  ['event', 'meeting', 'appointment', '会议', '日程', '日历', 'calendar'],
  ['song', 'track', 'music', '歌', '音乐', '播放'],
  ['weather', 'forecast', 'rain', 'temperature', '天气'],
  ['route', 'directions', 'navigate', 'drive', 'way', '路线'],
  ['light', 'lights', 'lamp', 'bulb', '灯'],
  ['contact', 'customer', 'person', 'people', 'lead', 'client', '联系人', '客户'],
  ['comment', 'reply', 'note', '评论', '备注'],
  ['user', 'member', 'account', '用户'],
  ['schedule', 'plan', 'book', '安排', '预订'],
  ['assign', 'give', 'hand', '分配'],
  ['close', 'finish', 'done', 'complete', 'resolve', '关闭', '完成'],
  ['table', 'database', 'sql', '表', '数据库'],
  ['pause', 'stop', '暂停', '停止'],
  ['volume', 'louder', 'quieter', '音量'],
  ['move', 'transfer', '移动'],
];
const GROUP = new Map(SAME.flatMap((words) => words.map((word) => [stem(word), words[0] ?? word])));

interface Indexed {
  readonly id: number;
  readonly name: string;
  readonly connector: string;
  readonly description: string;
  readonly parameters: string;
}

/** Finds tools by words, in memory. Built once for each state of the tools. */
export class ToolSearch {
  readonly #tools: readonly UsableTool[];
  #index: MiniSearch<Indexed> | null = null;

  constructor(tools: readonly UsableTool[]) {
    this.#tools = tools;
  }

  /** The best first, at most 20. */
  find(query: string): readonly UsableTool[] {
    const index = this.#open();
    const found = index.search(query.slice(0, 500), {
      boost: { name: 4, connector: 2, description: 1, parameters: 0.5 },
      combineWith: 'OR',
      prefix: (term) => term.length > 3,
      fuzzy: (term) => (term.length > 5 ? 2 : term.length > 4 ? 1 : false),
      weights: { fuzzy: 0.3, prefix: 0.5 },
    });
    return found.slice(0, MOST_FOUND).flatMap(({ id }) => this.#tools[id as number] ?? []);
  }

  #open(): MiniSearch<Indexed> {
    if (this.#index !== null) return this.#index;
    const index = new MiniSearch<Indexed>({
      fields: ['name', 'connector', 'description', 'parameters'],
      tokenize: wordsIn,
      processTerm: (term) => (STOP.has(term) ? null : termsOf(term)),
    });
    index.addAll(
      this.#tools.map(({ name, title, connector, schema }, id) => ({
        ...{ id, connector },
        name: `${name} ${title}`,
        description: schema.description,
        parameters: Object.keys((schema.parameters.properties as object | undefined) ?? {}).join(
          ' ',
        ),
      })),
    );
    this.#index = index;
    return index;
  }
}

/** Words of names in any case, and of Chinese each pair of characters. */
function wordsIn(text: string): string[] {
  const spaced = text.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  const words = spaced.match(/[\p{Script=Han}]+|[\p{L}\p{N}]+/gu) ?? [];
  return words.flatMap((word) => {
    if (!/\p{Script=Han}/u.test(word)) return [word];
    const signs = [...word];
    const pairs = signs.slice(1).map((sign, i) => `${signs[i]}${sign}`);
    return [...signs, ...pairs];
  });
}

/** A word, and the word that stands for its group. */
function termsOf(word: string): string[] | string {
  const own = stem(word);
  const group = GROUP.get(own);
  return group === undefined || group === own ? own : [own, group];
}

function stem(word: string): string {
  if (word.length < 4) return word;
  return word.replace(/(?:ies)$/, 'y').replace(/(?<=[a-z]{3})(?:ing|ed|es|s)$/, '');
}
