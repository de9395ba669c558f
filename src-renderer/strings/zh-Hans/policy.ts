import type { policyStrings as english } from '../policy.ts';

export const policyStrings: typeof english = {
  managed: (organization) => `${organization ?? '你的组织'}管理 HyperAgent 的部分设置。`,
  contact: (contact) => `联系方式：${contact}`,
  source: (source) => `策略：${source}`,
  locked: (organization, source) => `由${organization ?? '你的组织'}设置（${source}）`,
  invalid:
    '这台电脑的策略无效。你可以查看和导出任务，但在管理这台电脑的人更正策略之前，无法启动或更改任何内容。',
  problem: (source, line, text) => `${source}${line === null ? '' : `，第 ${line} 行`}：${text}`,
};
