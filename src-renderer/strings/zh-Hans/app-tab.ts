import { formatCount } from '../../format.ts';
import type { appTabStrings as english } from '../app-tab.ts';

export const appTabStrings: typeof english = {
  tab: '应用',
  loading: '正在加载应用',
  page: '应用页面',
  server: {
    starting: '服务器正在启动',
    running: '应用正在运行',
    stopped: '服务器已停止',
    failed: '服务器未能运行',
  },
  start: '启动',
  restart: '重新启动',
  stop: '停止服务器',
  reload: '重新加载页面',
  path: '应用内的路径',
  port: '端口',
  width: '页面宽度',
  widths: { phone: '手机', tablet: '平板', desktop: '整个面板' },
  outside: '在外部打开',
  outsideTip:
    '在你的浏览器中打开页面。页面在那里同样只能访问自己的服务器，但可能自行跳转到其他地址。',
  pick: '选取元素',
  picking: '点击页面中的元素，或用 Tab 键移到元素后按 Enter。按 Escape 取消。',
  stopPicking: '停止选取',
  console: '控制台',
  serverLog: '服务器日志',
  errors: (count) => `${formatCount(count)} 个错误`,
  clear: '清空控制台',
  nothingLogged: '页面没有输出。',
  nothingPrinted: '服务器没有输出。',
  kinds: { log: '日志', info: '信息', warn: '警告', error: '错误', failed: '未加载' },
  times: (count) => `${formatCount(count)} 次`,
  fix: '请求修复',
  fixThis: (text) => `应用显示以下错误：\n\n${text}\n\n请修复。`,
  changeThis: (selector, text, html) =>
    `请修改应用中的这个元素：\`${selector}\`${text === '' ? '' : `（“${text}”）`}\n\n\`\`\`html\n${html}\n\`\`\`\n\n`,
  put: '已添加到你的消息。',
};
