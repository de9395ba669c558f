import type { commandStrings as english } from '../commands.ts';

export const commandStrings: typeof english = {
  title: '键盘快捷键',
  groups: {
    window: '任何位置',
    task: '打开的任务',
    question: '向你提出的问题',
  },
  labels: {
    palette: '打开命令面板',
    shortcuts: '显示键盘快捷键',
    newTask: '新任务',
    search: '搜索任务',
    sidebar: '显示或隐藏任务列表',
    settings: '打开设置',
    setupCheck: '打开安装检查',
    artifacts: '显示所有产物',
    nextQuestion: '转到下一个问题',
    approve: '批准请求',
    deny: '拒绝请求并说明原因',
    composer: '转到消息框',
    computer: '显示或隐藏计算机',
    stop: '停止运行',
    savePrompt: '将消息保存为提示词',
  },
  notInText: '输入时不可用',
};
