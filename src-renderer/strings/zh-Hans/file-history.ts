import { formatCount, listOf } from '../../format.ts';
import type { historyStrings as english } from '../file-history.ts';

export const historyStrings: typeof english = {
  title: '历史',
  none: '每个更改文件的步骤之后，这里会出现一个快照。',
  busy: '运行正在进行。完成后可以恢复文件。',
  newest: '最新',
  atStart: '第一步之前',
  afterStep: (seq) => `某一步之后（事件 ${formatCount(seq)}）`,
  beforeRestore: '恢复之前',
  afterRestore: '恢复之后',
  size: (files, bytes) => `${formatCount(files)} 个文件，${bytes}`,
  changes: ({ created, modified, deleted }) => `新建 ${created}，更改 ${modified}，删除 ${deleted}`,
  leftOut: (count) => `${formatCount(count)} 个未保存`,
  reasons: {
    over_limit: '超过快照上限',
    too_many: '文件过多',
    too_deep: '嵌套过深',
    special: '不是普通文件',
    unreadable: '无法读取',
    changing: '保存时发生更改',
  },
  show: '显示更改内容',
  more: (count) => `另有 ${formatCount(count)} 个`,
  restore: '恢复',
  restoreTo: (state, time) => `恢复：${state}，${time}`,
  confirmTitle: '恢复文件？',
  confirmText: (state, time) =>
    `工作区将只包含“${state}”（${time}）的文件。当前文件会先保存到此历史中。无法保存的文件保持原样。软件包以及程序放在工作区之外的任何内容在所有沙盒中都不保存：既不会移除，也不会恢复。`,
  confirm: '恢复文件',
  kept: (paths) => `未移除，因为此历史中没有副本：${listOf(paths)}`,
};
