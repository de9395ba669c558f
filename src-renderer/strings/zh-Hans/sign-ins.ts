import type { signInStrings as english } from '../sign-ins.ts';

export const signInStrings: typeof english = {
  title: '已保存的登录',
  menu: '已保存的登录',
  use: '使用已保存的登录',
  none: '没有已保存的登录。',
  noStorage: '此处没有可用于保护登录信息的系统钥匙串，因此无法保存或使用登录。请使用桌面应用。',
  save: {
    open: '保存此登录…',
    title: '保存此登录',
    hint: (site, storage) =>
      `${site} 的 Cookie 和存储数据，由 ${storage} 加密。在你使用它的每个任务中，智能体都会以你的登录身份操作。`,
    name: '名称',
    confirm: '保存',
    replace: '替换',
  },
  list: {
    hint: (storage) => `由 ${storage} 加密。在任务的“浏览器”标签页中，由你控制时可保存和使用。`,
    saved: (moment) => `保存于 ${moment}`,
    used: (moment) => `上次使用 ${moment}`,
    unused: '尚未使用',
    remove: (name) => `删除登录 ${name}`,
  },
  remove: {
    title: '删除此登录？',
    text: (name) =>
      `“${name}”将不能再用于新任务。正在使用它的任务会保持登录，直到其浏览器结束。要结束会话本身，请在网站上退出登录。`,
    keep: '保留',
    confirm: '删除',
  },
};
