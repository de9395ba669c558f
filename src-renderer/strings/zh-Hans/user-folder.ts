import { formatCount, listOf } from '../../format.ts';
import type { folderStrings as english } from '../user-folder.ts';

const files = (count: number): string => `${formatCount(count)} 个文件`;

export const folderStrings: typeof english = {
  give: '使用这台计算机的文件夹',
  dialog: {
    title: '使用这台计算机的文件夹',
    text: '智能体在副本上工作。只有在你应用更改时，你的文件夹才会改变。',
    path: '文件夹',
    placeholder: '/home/me/project',
    access: '任务可以做什么',
    accessChoices: {
      copy: '更改副本；由我审查并应用更改',
      read: '只读',
    },
    use: '使用文件夹',
  },
  chip: (count, size) => `${files(count)}，${size}`,
  leftOut: (count) => `${formatCount(count)} 个未复制`,
  remove: (name) => `移除文件夹 ${name}`,
  inMessage: { copy: '你的文件夹（副本）', read: '你的文件夹（只读）' },
  title: '你的文件夹',
  review: '查看更改',
  differs: (count) => (count === 0 ? '无更改' : `${files(count)}已更改`),
  readOnly: '只读：无法应用副本的更改。',
  blocked: {
    link: '链接：不会应用。',
    not_a_file: '在你的文件夹中不是普通文件，或位于链接之后。',
    name: '使用此类名称的文件不会应用。',
  },
  editedMeanwhile: '复制后你编辑过此文件。应用会替换你的版本。',
  runsByItself: '其他程序会不经询问地运行此文件。',
  choose: (path) => `应用 ${path}`,
  chooseAll: '全部',
  apply: (count) => `应用 ${files(count)}`,
  applied: (count) => `已将 ${files(count)}写入你的文件夹。`,
  undo: '撤销',
  undone: (count) => `已恢复 ${files(count)}。`,
  canUndo: (count) => `上次应用了 ${files(count)}。`,
  refused: (path, reason) => `${path} 未更改：${reason}`,
  reasons: {
    changed: '它在此期间已更改。请重新查看。',
    blocked: '它不是普通文件，或位于链接之后。',
    denied: '系统拒绝访问。',
    disk_full: '磁盘已满。',
  },
  notCompared: (paths, count) =>
    `未比较：${listOf(paths)}${count > paths.length ? `，另有 ${formatCount(count - paths.length)} 个` : ''}`,
  more: (count) => `还有 ${files(count)}未列出。请先应用这些。`,
  failed: '无法列出更改。',
};
