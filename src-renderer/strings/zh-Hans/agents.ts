import type { agentStrings as english } from '../agents.ts';
import { researchStrings } from './research.ts';

const { depths } = researchStrings;
const { depthHints } = researchStrings.picker;

export const agentStrings: typeof english = {
  instructions: '智能体始终应知道或遵守的内容',
  instructionsHint: (used, limit, tokens) =>
    `对此后开始的每个任务生效。已用 ${used} / ${limit} 个字符，每次模型请求约占 ${tokens} 个 token。`,
  review: '新任务中的计划',
  reviews: {
    auto: '立即开始；运行时可以编辑',
    ask: '执行第一步前等待你批准',
  },
  route: '从措辞看不出工作量的任务',
  routes: {
    first_call: '由任务的模型在开始时决定',
    flash: '先询问 Flash 模型',
  },
  routeHint:
    'Flash 模型（在“模型”的“按档位分配模型”中设置）需要一次请求，最多 20 秒。没有时由任务的模型决定。',
  execution: '工具使用',
  executionChoices: {
    standard: '一次一个工具调用',
    codeact: '也可运行调用工具的脚本（CodeAct）',
  },
  bounded: (min, max, hint) => `${hint}范围 ${min} 到 ${max}。`,
  limits: {
    maxReplans: {
      label: '失败后最多重新计划次数',
      hint: '超过后运行结束，并报告未能完成的部分。',
    },
    parallelSteps: {
      label: '并行步骤数',
      hint: '同时运行互不依赖的步骤。本地模型的回答会变慢。',
    },
    repeatsBeforeHint: {
      label: '连续多少次相同调用后提示',
      hint: '提示模型换一种方法。',
    },
    errorsBeforeReplan: {
      label: '连续失败多少次后重新计划',
      hint: '该步骤会被放弃并重新计划。',
    },
    maxHandoffs: {
      label: '每次运行最多移交研究次数',
      hint: '设为 0 时，只有研究任务会进行研究。',
    },
    researchPageSeconds: {
      label: '研究页面超时（秒）',
      hint: '超时的页面会被跳过，改读其他页面。',
    },
  },
  depth: '研究深度',
  depths: {
    fast: `${depths.fast}：${depthHints.fast}`,
    standard: `${depths.standard}：${depthHints.standard}`,
    deep: `${depths.deep}：${depthHints.deep}`,
  },
  depthHint: '在研究模式下，可为每条消息选择其他深度。',
};
