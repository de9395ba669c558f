import type { paletteStrings as english } from '../palette.ts';

export const paletteStrings: typeof english = {
  title: '命令面板',
  placeholder: '搜索任务、操作、设置、模型和技能',
  results: '结果',
  groups: { recent: '最近使用', action: '操作', task: '最新任务' },
  kinds: {
    action: '操作',
    task: '任务',
    setting: '设置',
    model: '模型',
    skill: '技能',
  },
  cloud: '云端',
  nothing: (query) => `没有与“${query}”匹配的内容。`,
  count: (shown, total) =>
    total > shown
      ? `共 ${total} 项，显示最匹配的 ${shown} 项。继续输入以缩小范围。`
      : `${total} 个结果`,
};
