import { functionTags } from '../grammar/function-tags.ts';
import { invokeTags } from '../grammar/invoke-tags.ts';
import type { Family } from '../types.ts';

/** Calls in tags of their own, with no envelope around them, by design or by omission. */
export const bareTagFamilies: readonly Family[] = [
  { id: 'qwen3-coder, functionary 3.1, llama 3', opens: ['<function='], read: functionTags },
  {
    id: 'minicpm 5',
    // Some servers lose the space before `name`, or leave it as the tokenizer spells it.
    opens: ['<function'],
    read: invokeTags({ call: 'function', argument: 'param', cdata: true }),
  },
  {
    id: 'anthropic style',
    opens: ['<invoke'],
    read: invokeTags({ call: 'invoke', argument: 'parameter' }),
  },
  {
    id: 'deepseek 3.2 and 4',
    opens: ['<｜DSML｜invoke'],
    read: invokeTags({ call: '｜DSML｜invoke', argument: '｜DSML｜parameter' }),
  },
  {
    id: 'step 3',
    opens: ['<steptml:invoke'],
    read: invokeTags({ call: 'steptml:invoke', argument: 'steptml:parameter' }),
  },
];
