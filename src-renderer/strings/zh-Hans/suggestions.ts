import type { suggestionStrings as english } from '../suggestions.ts';

export const suggestionStrings: typeof english = {
  labels: { '/': '模式、技能和提示词', '@': '文件、任务和文档' },
  groups: {
    mode: '模式',
    skill: '技能',
    prompt: '你的提示词',
    action: '操作',
    file: '此任务的文件',
    task: '其他任务的对话',
    document: '资料库',
    resource: '连接器的资源',
    offeredPrompt: '连接器的提示词',
  },
  offered: {
    from: (connector) => `来自连接器 ${connector} 的提示词`,
    resourceFrom: (connector) => `来自连接器 ${connector} 的资源`,
    attach: '附加',
    optional: '（可选）',
    insert: '插入',
    waiting: (connector) => `正在等待 ${connector}…`,
  },
  savePrompt: '将此消息保存为提示词',
  editPrompts: '编辑你的提示词',
  skillSentence: (name) => `使用技能 ${name}：`,
  count: (count) => (count === 0 ? '没有建议' : `${count} 条建议`),
};
