import type { levelStrings as english } from '../approval-levels.ts';

export const levelStrings: typeof english = {
  label: '何时询问你',
  levels: {
    ask_every_time: {
      title: '每次都询问',
      text: '每个程序、每次文件更改，以及所有访问其他计算机的操作都需要你批准。读取任务文件时不询问。',
    },
    ask_on_exit: {
      title: '仅在内容离开沙盒时询问',
      text: '任务沙盒内的程序和文件不询问，其操作可以撤销。访问新网站、发送机密信息以及其他所有离开沙盒的操作都会询问。',
    },
    unattended: {
      title: '无人值守：暂停并等我回来',
      text: '适合你不在时运行。询问的范围与上一级相同，但不等待回答：任务会暂停，直到你回来。',
    },
  },
  recommended: '推荐',
  unverified: '在这台计算机上，询问次数与“每次都询问”相同，因为沙盒隔离未通过验证。',
  notChosen: '你尚未选择。在选择之前，高风险调用会询问。',
  ofTask: '此任务何时询问你',
  current: (what) => `批准：${what}`,
  asInSettings: (what) => `与设置相同（${what}）`,
  short: {
    ask_every_time: '每次',
    ask_on_exit: '离开沙盒时',
    unattended: '无人值守',
    none: '高风险',
  },
};
