import { formatCount } from '../../format.ts';
import type { skillCardStrings as english } from '../skill-cards.ts';

export const skillCardStrings: typeof english = {
  card: {
    invoked: '技能',
    readingResult: '正在加载结果',
    stages: '技能阶段',
    stageStates: { running: '运行中', completed: '已完成', failed: '失败', stopped: '已停止' },
    calls: (count) => `${formatCount(count)} 次调用`,
    earlierCalls: (count) => `运行日志中还有 ${formatCount(count)} 次较早的调用`,
    earlierStages: (count) => `运行日志中还有 ${formatCount(count)} 个较早的阶段`,
    params: '参数',
    fields: '结果字段',
  },
  walk: {
    title: '分步技能',
    states: { active: '进行中', completed: '所有步骤已完成', cancelled: '已停止' },
    progress: (done, all) => `${done} / ${all} 步`,
    steps: '步骤',
    done: '已完成',
    pending: '待执行',
    current: '当前',
    read: (file) => `${file} 已读取`,
    notRead: (file) => `${file} 尚未读取`,
    answered: (name) => `${name} 已回答`,
    notAnswered: (name) => `${name} 需要你回答`,
    heard: '你已回答',
    notHeard: '需要你回答',
    refusals: '已拒绝',
  },
};
