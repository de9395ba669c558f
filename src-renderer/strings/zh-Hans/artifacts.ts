import { formatCount } from '../../format.ts';
import type { artifactStrings as english } from '../artifacts.ts';

export const artifactStrings: typeof english = {
  title: '产物',
  search: '按名称搜索',
  kind: '类型',
  anyKind: '所有类型',
  kinds: {
    image: '图片和图表',
    document: '文档',
    report: '报告',
    slides: '幻灯片',
    table: '表格',
    code: '代码',
    other: '其他文件',
  },
  count: (count, hasMore) =>
    hasMore ? `超过 ${formatCount(count)} 个文件` : `${formatCount(count)} 个文件`,
  loading: '正在加载产物',
  failed: '无法加载产物。',
  none: '智能体生成的图片、图表、文档、表格、代码、报告和幻灯片会显示在这里。',
  nothingFits: '没有匹配的文件。',
  clearFilter: '清除筛选',
  deleted: '已删除',
  fromTask: (title) => `转到任务“${title}”`,
  save: (name) => `保存 ${name}`,
  copy: (name) => `复制 ${name} 的文本`,
  notText: '此文件不是文本。请改为保存。',
  cut: '此文件太长，无法复制。请改为保存。',
};
