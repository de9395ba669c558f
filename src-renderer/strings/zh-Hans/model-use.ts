import { formatCount } from '../../format.ts';
import type { modelUseStrings as english } from '../model-use.ts';

export const modelUseStrings: typeof english = {
  ofTask: '此任务',
  title: '模型用量',
  recent: '最近 30 天',
  all: '全部时间',
  hint: '统计未删除的任务。对话的标题和摘要不计入。',
  nothing: '暂无。',
  tokens: (prompt, completion) => `输入 ${prompt} token，输出 ${completion}`,
  requests: (count) => `${formatCount(count)} 次请求`,
  estimated: (count, requests) =>
    count === requests ? '估计值：服务器未提供计数' : `其中 ${formatCount(count)} 次为估计值`,
};
