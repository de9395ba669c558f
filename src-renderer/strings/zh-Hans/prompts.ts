import { formatCount } from '../../format.ts';
import type { promptStrings as english } from '../prompts.ts';

export const promptStrings: typeof english = {
  hint: '可重复使用的文本。在消息框中输入 / 即可插入。双花括号中的词（例如 {{topic}}）会被选中，供你替换。',
  none: '暂无提示词。',
  add: '添加提示词',
  edit: '编辑',
  editOne: (name) => `编辑 ${name}`,
  delete: '删除',
  deleteOne: (name) => `删除 ${name}`,
  saveMessage: '保存为提示词',
  name: '名称',
  text: '内容',
  save: '保存提示词',
  problems: {
    taken: '已有同名提示词。请换一个名称。',
    longName: (limit) => `名称最多 ${formatCount(limit)} 个字符。`,
    longText: (length, limit) =>
      `此文本有 ${formatCount(length)} 个字符。提示词最多 ${formatCount(limit)} 个字符。`,
    tooMany: (limit) =>
      `最多可保存 ${formatCount(limit)} 个提示词。请在“设置”的“提示词”中删除一个。`,
  },
};
