import type { diagnosticsStrings as english } from '../diagnostics.ts';

export const diagnosticsStrings: typeof english = {
  title: '诊断信息',
  hint: '出现问题时，可交给开发者或管理员的一个文本文件。保存前由你先阅读。不含密钥、任务内容和你的姓名，HyperAgent 也不会把它发送给任何人。',
  open: '显示诊断信息…',
  text: '保存或复制的正是这里显示的文本。请先阅读，并去掉你不想交出的部分。',
  collecting: '正在检查安装并读取日志',
  failed: '无法收集诊断信息。',
  again: '重试',
  include: '包含',
  sections: {
    computer: '版本和计算机',
    setup: '安装检查',
    settings: '设置',
    policy: '策略',
    data: '存储的数据',
    crashes: '崩溃转储',
    log: '日志',
  },
  content: '文档',
  size: (size) => `文本 ${size}`,
  copy: '复制',
  copied: '已复制',
  save: '保存…',
};
