import type { Page } from 'playwright-core';
import { fillIn, press } from '../controls.ts';
import { counts, shows, showsInOrder } from '../expectations.ts';
import type { AppBrief } from '../types.ts';

async function showScores(page: Page, lines: readonly string[]): Promise<void> {
  await fillIn(page, { 数据: lines.join('\n') });
  await press(page, '生成表格');
}

const SCORES = ['张伟,一班,95', '李娜,二班,100', '王芳,一班,9', '赵敏,二班,81'];

export const brief: AppBrief = {
  name: 'chengji-tongji',
  prompt: [
    '请做一个成绩统计网页：有一个标签为“数据”的多行文本框和一个“生成表格”按钮。',
    '文本框里每行是“姓名，班级，分数”，逗号可以是半角也可以是全角，空行忽略；',
    '点击按钮后显示一个表格，表头一行为姓名、班级、分数，下面每人一行，先按输入的顺序排列。',
    '按钮“按分数排序”把表格按分数从高到低排列（按数值比较），',
    '表格外显示“人数：4”以及每个班的平均分，保留一位小数，例如“一班平均分：52.0”。',
    '如果某一行不是三项或者分数不是数字，就不显示表格，只显示“第2行有误”（行号按文本框里的行数，从1开始）。',
    '如果没有任何数据，就显示“请输入数据”。',
  ].join(''),
  points: [
    {
      says: '每行数据成为表格的一行，并显示人数。',
      holds: async (page) => {
        await showScores(page, SCORES);
        const table = page.getByRole('table');
        await counts(table.getByRole('row'), 5);
        await showsInOrder(table, ['姓名', '张伟', '95', '李娜', '100', '王芳', '赵敏', '81']);
        await shows(page, '人数：4');
      },
    },
    {
      says: '按分数排序时按数值从高到低。',
      holds: async (page) => {
        await showScores(page, SCORES);
        await press(page, '按分数排序');
        await showsInOrder(page.getByRole('table'), ['李娜', '张伟', '赵敏', '王芳']);
      },
    },
    {
      says: '每个班的平均分保留一位小数。',
      holds: async (page) => {
        await showScores(page, [...SCORES, '孙丽,二班,90']);
        await shows(page, '一班平均分：52.0');
        await shows(page, '二班平均分：90.3');
      },
    },
    {
      says: '全角逗号和空行都可以。',
      holds: async (page) => {
        await showScores(page, ['张伟，一班，70', '', '李娜，一班，81', '']);
        await shows(page, '人数：2');
        await shows(page, '一班平均分：75.5');
        await counts(page.getByRole('table').getByRole('row'), 3);
      },
    },
    {
      says: '有误的行按行号报告，没有数据也有提示。',
      holds: async (page) => {
        await showScores(page, SCORES);
        await counts(page.getByRole('table'), 1);
        await showScores(page, ['张伟,一班,95', '', '李娜,二班,优']);
        await shows(page, '第3行有误');
        await counts(page.getByRole('table'), 0);
        await showScores(page, ['', '']);
        await shows(page, '请输入数据');
      },
    },
  ],
};
