import type { dialogStrings as english } from '../dialogs.ts';

export const dialogStrings: typeof english = {
  rename: { title: '重命名任务', label: '标题', save: '重命名' },
  remove: {
    title: '删除此任务？',
    text: (title) => `“${title}”及其消息、运行和工作区文件都将被删除。此操作无法撤销。`,
    confirm: '删除任务',
    keep: '保留任务',
  },
  link: {
    title: '打开此链接？',
    leadsTo: '此链接指向',
    open: '在浏览器中打开',
    copy: '复制链接',
  },
};
