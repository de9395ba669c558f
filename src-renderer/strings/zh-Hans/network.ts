import { formatCount } from '../../format.ts';
import type { networkStrings as english } from '../network.ts';

export const networkStrings: typeof english = {
  online: '网络已开启。切换到离线',
  offline: '网络已关闭。切换到在线',
  offlineLabel: '离线',
  tab: '网络',
  list: '连接',
  none: '暂无连接。此任务发送或尝试发送的所有内容都会显示在这里。',
  noneAtAll: '没有任何内容离开过这台计算机。',
  count: (all, denied, hasMore) => {
    const total = `${hasMore ? '最新 ' : ''}${formatCount(all)} 个连接`;
    return denied === 0 ? total : `${total}，${formatCount(denied)} 个被拒绝`;
  },
  earlier: '显示更早的',
  allow: '允许',
  allowHost: (host) => `允许 ${host}`,
  isAllowed: '已允许',
  hostIsAllowed: (host) => `已允许：${host}`,
  allowed: (host) => `现已允许 ${host}。`,
  current: (what) => `网络访问：${what}`,
  mayReach: '此任务的网络访问',
  short: { offline: '无', allowlist: '允许的主机', open: '所有公共主机' },
  bytes: (sent, received) => `发送 ${sent}，接收 ${received}`,
  open: '已打开',
  times: (count) => `${formatCount(count)} 次`,
  actors: {
    sandbox: '沙盒程序',
    fetch: '页面',
    search: '搜索',
    browser: '浏览器',
    skill: '技能',
    preview: '预览',
    connector: '连接器',
    model: '模型服务器',
    app: '应用',
  },
  verdicts: { allowed: '已连接', denied: '已拒绝', failed: '失败' },
  reasons: {
    offline: '网络已关闭',
    not_listed: '不在允许的主机列表中',
    denied_by_rule: '被你的规则拒绝',
    denied_by_policy: '被这台电脑的策略拒绝',
    private_address: '专用网络地址',
    unresolved: '找不到主机',
    bad_target: '地址无效',
    unreachable: '无响应',
    no_run: '没有正在进行的运行',
  },
  settings: {
    egress: '整个应用的网络限制',
    egressChoices: {
      offline: '离线，包括应用本身',
      allowlist: '仅允许的主机和你配置的模型服务器',
      open: '所有公共主机',
    },
    network: '新任务的网络访问',
    networkChoices: {
      offline: '无',
      allowlist: '允许的主机。访问其他页面时会询问你',
      open: '所有公共主机。任务包含不可信内容后，访问新主机时会询问你',
    },
    hosts: '允许的主机',
    hostsHint:
      '每行一个：example.com、*.example.com、example.com:8080。不写端口时，允许标准 Web 端口。',
    privateHosts: '你自己网络中允许的主机',
    privateHostsHint: '专用地址默认拒绝，除非在此列出：nas.local:8080、192.168.1.5:*。',
    recent: '最近的连接',
  },
};
