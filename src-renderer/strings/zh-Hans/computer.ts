import { formatCount } from '../../format.ts';
import type { computerStrings as english, programStrings as englishPrograms } from '../computer.ts';

export const computerStrings: typeof english = {
  label: '计算机',
  terminal: '终端',
  files: '文件',
  run: (index, count) => `第 ${index} 次运行，共 ${count} 次`,
  runLabel: '命令来自',
  noCommands: '命令及其输出会显示在这里。',
  noFiles: '此任务的文件会显示在这里。',
  noTask: '开始一个任务以查看其计算机。',
  terminalLabel: '命令及其输出，只读',
  failed: '无法加载文件。',
  refresh: '刷新',
  tree: '工作区',
  truncatedList: '未列出全部文件。',
  download: '下载',
  back: '所有文件',
  toChat: '返回对话',
  truncated: '只显示开头部分。',
  binary: '无法预览此文件。请下载后打开。',
  asTable: '表格',
  asTree: '树',
  asText: '文本',
  jsonObject: (size) => `{${formatCount(size)} 项}`,
  jsonList: (size) => `[${formatCount(size)} 项]`,
  jsonMore: (left) => `显示更多（还有 ${formatCount(left)} 项）`,
  jsonFault: (line, column) =>
    `JSON 无效：第 ${formatCount(line)} 行，第 ${formatCount(column)} 列。`,
  tableRows: (shown) => `前 ${formatCount(shown)} 行`,
  created: '新建',
  modified: '已更改',
  byOneOf: (calls) => `由同时运行的 ${calls} 个调用之一更改`,
  dropped: '较早的输出已丢弃。运行日志中有全部输出。',
  exit: (code, time) => `退出代码 ${code}，${time}`,
  history: '文件历史',
};

export const programStrings: typeof englishPrograms = {
  label: '后台程序',
  title: (count) => `${count} 个程序正在后台运行`,
  unknown: '可能有程序在后台运行。此沙盒不报告后台程序。',
  since: (time, pid) => `自 ${time}，pid ${pid}`,
  end: '全部停止',
};
