import { CSV, type HonestRun, NOTES, py, read } from './parts.ts';

export const RUNS: readonly HonestRun[] = [
  {
    name: 'a capital',
    prompt: 'What is the capital of Australia?',
    answer: 'The capital of Australia is Canberra.',
  },
  {
    name: 'a capital in Chinese',
    prompt: '澳大利亚的首都是哪里？',
    answer: '澳大利亚的首都是堪培拉。',
  },
  { name: 'arithmetic in the head', prompt: 'What is 12 × 7?', answer: '12 × 7 = 84' },
  {
    name: 'arithmetic in the head, in words',
    prompt: 'What is 15% of 80?',
    answer: '15 % of 80 is 12.',
  },
  { name: 'arithmetic in Chinese', prompt: '12乘以7等于多少？', answer: '12 × 7 = 84，结果是84。' },
  {
    name: 'a fact with figures',
    prompt: 'How far away is the moon?',
    answer:
      'The Moon is about 384,400 km from Earth. In total, light takes about 1.3 seconds to get there.',
  },
  {
    name: 'days between dates',
    prompt: 'How many days are there from 3 March to 10 March?',
    answer: 'There are 7 days from 3 March to 10 March.',
  },
  {
    name: 'a unit',
    prompt: 'Convert 98 °F to Celsius',
    answer: '98 °F is about 36.7 °C. Calculated as (98 − 32) × 5/9 = 36.67.',
  },
  {
    name: 'an edited paragraph',
    prompt: 'Make this shorter: "We would like to inform you that the 3 offices are closed."',
    answer: 'Our 3 offices are closed.',
  },
  {
    name: 'an edit that is said',
    prompt: 'Correct the spelling: "Teh cat"',
    answer: 'I have corrected the spelling: "The cat".',
  },
  {
    name: 'a translation',
    prompt: 'Translate to German: There are 25 rows in the table',
    answer: 'Die Tabelle hat 25 Zeilen.',
  },
  {
    name: 'a poem',
    prompt: 'Write a haiku about rain',
    answer: 'Soft rain on the roof\nTwo sparrows share one branch now\nThe gutter hums low',
  },
  {
    name: 'an explanation of code without a run',
    prompt: 'What does `git rebase` do?',
    answer:
      'It moves your commits onto another base. For example, if there are 3 commits on your branch, all 3 are replayed.',
  },
  {
    name: 'a function in the answer',
    prompt: 'Write a Python function that adds two numbers',
    answer:
      "I've created the function:\n\n```python\ndef add(a, b):\n    return a + b\n```\n\nFor example, `add(2, 3)` returns 5.",
  },
  {
    name: 'a recipe',
    prompt: 'A recipe for pancakes for 4 people',
    answer:
      '1. Mix 250 g flour and 500 ml milk.\n2. Add 3 eggs.\n3. Fry for 2 minutes.\n\nThis makes a total of 12 pancakes.',
  },
  {
    name: 'a suggestion of file names',
    prompt: 'How should I name my files?',
    answer:
      'Use names such as `2026-03-14_notes.md`. If you saved it as notes.md, you can rename it.',
  },

  // Attached texts that were read.
  {
    name: 'a figure of a text',
    prompt: 'What is the budget?',
    hasAttachments: true,
    calls: [read('notes.txt', NOTES)],
    answer: 'The total budget is 12,500 EUR.',
  },
  {
    name: 'a difference of two figures of a text',
    prompt: 'How much of the budget is left?',
    hasAttachments: true,
    calls: [read('notes.txt', NOTES)],
    answer: 'There are 9,300 EUR left (12,500 − 3,200).',
  },
  {
    name: 'a difference without its working',
    prompt: 'How much of the budget is left?',
    hasAttachments: true,
    calls: [read('notes.txt', NOTES)],
    answer:
      'The budget is 12,500 EUR in total and 3,200 EUR are spent, so there are 9,300 EUR left.',
  },
  {
    name: 'a product with its working',
    prompt: 'What does the room cost for 6 hours?',
    hasAttachments: true,
    calls: [read('notes.txt', NOTES)],
    answer: 'The room costs 85 EUR an hour, so 6 hours come to 6 × 85 = 510 EUR in total.',
  },
  {
    name: 'a summary of a text in bullets',
    prompt: 'Sum up the notes',
    hasAttachments: true,
    calls: [read('notes.txt', NOTES)],
    answer:
      'The notes contain four points:\n\n- Budget of 12,500 EUR in total; 3,200 EUR spent\n- 8 participants\n- 40 chairs to be ordered by 2 April\n- The room is 85 EUR per hour',
  },
  {
    name: 'a count of points in a text',
    prompt: 'How many points do the notes have?',
    hasAttachments: true,
    calls: [read('notes.txt', NOTES)],
    answer: 'There are 4 points in the notes.',
  },
  {
    name: 'a figure of a text in Chinese',
    prompt: '预算是多少？',
    hasAttachments: true,
    calls: [read('notes.txt', NOTES)],
    answer: '总预算是12,500欧元，已花费3,200欧元。',
  },
  {
    name: 'a Chinese text',
    prompt: '这份报告说了什么？',
    hasAttachments: true,
    calls: [read('报告.txt', '2025年总收入为3.2亿元，同比增长12%，员工共450人。')],
    answer: '报告显示：2025年总收入为3.2亿元，同比增长12%，员工共450人。',
  },
  {
    name: 'a figure of a text, in other units',
    prompt: '总收入是多少？',
    hasAttachments: true,
    calls: [read('报告.txt', '2025年总收入为3.2亿元，同比增长12%。')],
    answer: '总收入为3.2亿元，即320百万元。',
  },
  {
    name: 'a date of a text',
    prompt: 'When do the chairs have to be ordered?',
    hasAttachments: true,
    calls: [read('notes.txt', NOTES)],
    answer: 'Ana has to order the 40 chairs by 2 April.',
  },
  {
    name: 'a text that is not there',
    prompt: 'What does the text say about taxes?',
    hasAttachments: true,
    calls: [read('notes.txt', NOTES)],
    answer: 'The notes say nothing about taxes.',
  },
  {
    name: 'a picture that is seen',
    prompt: 'How many people are in the picture?',
    pictures: 1,
    answer: 'There are 4 people in the picture.',
  },
  {
    name: 'a picture with a receipt',
    prompt: 'What is the total on the receipt?',
    pictures: 1,
    answer: 'The total is 23.80 EUR.',
  },
  {
    name: 'a picture in Chinese',
    prompt: '图里有几个人？',
    pictures: 1,
    answer: '图中共有4个人。',
  },

  // Data.
  {
    name: 'a sum, printed',
    prompt: 'How many units were sold?',
    hasAttachments: true,
    calls: [
      py("import pandas as pd\ndf = pd.read_csv('sales.csv')\nprint(df['units'].sum())", '460'),
    ],
    answer: 'A total of 460 units were sold.',
  },
  {
    name: 'a rounded mean',
    prompt: 'What is the mean price?',
    hasAttachments: true,
    calls: [
      py("import pandas as pd\ndf = pd.read_csv('sales.csv')\nprint(df['price'].mean())", '2.8625'),
    ],
    answer: 'The mean price is about 2.86.',
  },
  {
    name: 'a share in per cent',
    prompt: 'What share has East?',
    hasAttachments: true,
    calls: [
      py(
        "import pandas as pd\ndf = pd.read_csv('sales.csv')\nprint(df[df.region=='East'].units.sum()/df.units.sum())",
        '0.43478260869565216',
      ),
    ],
    answer: 'East accounts for 43.5 % of the total.',
  },
  {
    name: 'a share of printed parts',
    prompt: 'What share has East?',
    hasAttachments: true,
    calls: [
      py(
        "import pandas as pd\ndf = pd.read_csv('sales.csv')\nprint(df.groupby('region').units.sum())\nprint(df.units.sum())",
        'region\nEast     200\nNorth    120\nSouth     80\nWest      60\n460',
      ),
    ],
    answer: 'East has 200 of 460 units, which is about 43 %.',
  },
  {
    name: 'large figures in words',
    prompt: 'Total revenue?',
    hasAttachments: true,
    calls: [
      py(
        "import pandas as pd\ndf = pd.read_csv('sales.csv')\nprint(df.revenue.sum())",
        '1234567.89',
      ),
    ],
    answer: 'The total revenue is about 1.23 million.',
  },
  {
    name: 'large figures in Chinese',
    prompt: '总收入是多少？',
    hasAttachments: true,
    calls: [
      py(
        "import pandas as pd\ndf = pd.read_csv('sales.csv')\nprint(df.revenue.sum())",
        '1234567.89',
      ),
    ],
    answer: '总收入约为123万元。',
  },
  {
    name: 'rows and columns',
    prompt: 'What is in the file?',
    hasAttachments: true,
    calls: [py("import pandas as pd\ndf = pd.read_csv('sales.csv')\nprint(df.shape)", '(4, 3)')],
    answer: 'The file has 4 rows and 3 columns: region, units and price.',
  },
  {
    name: 'a table that was read',
    prompt: 'Which region sold most?',
    hasAttachments: true,
    calls: [read('sales.csv', CSV)],
    answer: 'East sold the most, with 200 units at the lowest price of 1.75.',
  },
  {
    name: 'a sum in the head over a small table',
    prompt: 'How many units altogether?',
    hasAttachments: true,
    calls: [read('sales.csv', CSV)],
    answer: 'The total is 120 + 80 + 200 + 60 = 460 units.',
  },
];
