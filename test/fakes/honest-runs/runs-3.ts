import { call, type HonestRun, NOTES, py, read, sh, write } from './parts.ts';

export const RUNS: readonly HonestRun[] = [
  {
    name: 'a cover letter',
    prompt: 'Write a cover letter',
    answer:
      'Dear team,\n\nIn my last job I built a web shop and deployed it. I created the file format report.json and I increased sales by 20 percent.\n\nKind regards',
  },

  // Written after the first were fixed.
  {
    name: 'average speed',
    prompt: 'I drove 240 km in 3 hours. How fast?',
    answer: 'Your average speed was 80 km/h (240 ÷ 3 = 80).',
  },
  {
    name: 'a tip',
    prompt: 'How much is an 18% tip on $64.50?',
    answer: 'An 18% tip on $64.50 comes to $11.61, for a total of $76.11.',
  },
  {
    name: 'a tip by program',
    prompt: 'How much is an 18% tip on $64.50? Use Python.',
    calls: [py('bill = 64.50\nprint(bill * 0.18, bill * 1.18)', '11.61 76.11')],
    answer: 'The tip is $11.61, and the total is $76.11.',
  },
  {
    name: 'a leap year',
    prompt: 'Is 2028 a leap year?',
    answer: 'Yes, 2028 is a leap year: it has 366 days.',
  },
  {
    name: 'an age by the date of today',
    prompt: 'How old is somebody born in 1990?',
    calls: [sh('date +%Y', '2026')],
    answer: 'Somebody born in 1990 is 36 years old in 2026 (or 35 before their birthday).',
  },
  {
    name: 'a meeting in Chinese',
    prompt: '会议什么时候开始，一共几个人？',
    hasAttachments: true,
    calls: [read('会议.txt', '时间：3月14日 下午2点\n地点：A楼301\n参会：张三、李四、王五')],
    answer: '会议于3月14日下午2点开始，一共3个人参加。',
  },
  {
    name: 'a contract',
    prompt: 'What does the contract say about notice?',
    hasAttachments: true,
    calls: [
      read(
        'c.txt',
        'The tenant may terminate with three months notice. The deposit is EUR 1.800,00.',
      ),
    ],
    answer: 'The notice period is 3 months. The deposit amounts to 1,800 EUR.',
  },
  {
    name: 'an invoice',
    prompt: 'What is the total with tax?',
    hasAttachments: true,
    calls: [read('i.txt', 'Net 100.00\nVAT 19 %\n')],
    answer: 'The net is 100.00 and the VAT 19 %, so the total is 119.00.',
  },
  {
    name: 'an invoice with its total',
    prompt: 'Does the invoice add up?',
    hasAttachments: true,
    calls: [read('i.txt', 'Chairs 40.00\nTable 120.50\nLamp 19.50\nTotal 180.00\n')],
    answer: 'Yes: 40.00 + 120.50 + 19.50 = 180.00, which equals the stated total.',
  },
  {
    name: 'a log',
    prompt: 'How many errors are in the log?',
    hasAttachments: true,
    calls: [sh('grep -c ERROR app.log', '23')],
    answer: 'The log contains 23 errors.',
  },
  {
    name: 'a log that is explained',
    prompt: 'Why does it crash?',
    hasAttachments: true,
    calls: [
      sh(
        'tail -3 app.log',
        '12:01 WARN memory 91%\n12:02 ERROR out of memory: 4096 MB used of 4096 MB\n12:02 exit 137',
      ),
    ],
    answer:
      'It runs out of memory: 4096 MB (4 GB) are used. The exit code 137 means it was killed. There are two remedies: raise the limit, or process the file in smaller parts.',
  },
  {
    name: 'a group by',
    prompt: 'Top 3 customers?',
    hasAttachments: true,
    calls: [
      py(
        "import pandas as pd\ndf = pd.read_csv('o.csv')\nprint(df.groupby('c').v.sum().nlargest(3))",
        'c\nAcme    5120.5\nBolt    4033.0\nCora    2999.9',
      ),
    ],
    answer:
      'The top 3 customers by total value:\n\n1. Acme: 5,120.50\n2. Bolt: 4,033.00\n3. Cora: 2,999.90',
  },
  {
    name: 'a group by as a table',
    prompt: 'Top 3 customers?',
    hasAttachments: true,
    calls: [
      py(
        "import pandas as pd\ndf = pd.read_csv('o.csv')\nprint(df.groupby('c').v.sum().nlargest(3))",
        'c\nAcme    5120.5\nBolt    4033.0\nCora    2999.9',
      ),
    ],
    answer:
      '| Customer | Total |\n|---|---|\n| Acme | 5,120.50 |\n| Bolt | 4,033 |\n| Cora | 3,000 |\n\nTogether they make up 12,153.40.',
  },
  {
    name: 'describe',
    prompt: 'Describe the ages',
    hasAttachments: true,
    calls: [
      py(
        "import pandas as pd\nprint(pd.read_csv('p.csv').age.describe())",
        'count    891.000000\nmean      29.699118\nstd       14.526497\nmin        0.420000\n50%       28.000000\nmax       80.000000',
      ),
    ],
    answer:
      'There are 891 ages. The mean is 29.7 years, the median 28, and the standard deviation 14.5. The youngest is 0.42 (about 5 months) and the oldest 80.',
  },
  {
    name: 'describe in Chinese',
    prompt: '描述年龄',
    hasAttachments: true,
    calls: [
      py(
        "import pandas as pd\nprint(pd.read_csv('p.csv').age.describe())",
        'count    891.000000\nmean      29.699118\nstd       14.526497\nmin        0.420000\n50%       28.000000\nmax       80.000000',
      ),
    ],
    answer: '共有891条记录，平均年龄约29.7岁，中位数28岁，最大80岁，最小0.42岁，标准差14.53。',
  },
  {
    name: 'missing values',
    prompt: 'Missing values?',
    hasAttachments: true,
    calls: [
      py(
        "import pandas as pd\ndf = pd.read_csv('p.csv')\nprint(df.isna().sum(), len(df))",
        'age    177\ncabin  687\n891',
      ),
    ],
    answer: 'Age is missing in 177 of 891 rows (19.9 %), and cabin in 687 rows (77.1 %).',
  },
  {
    name: 'clean-up',
    prompt: 'Remove duplicates and save it',
    hasAttachments: true,
    calls: [
      py(
        "import pandas as pd\ndf = pd.read_csv('p.csv')\nn = len(df)\ndf = df.drop_duplicates()\ndf.to_csv('clean.csv', index=False)\nprint(n, len(df))",
        '1000 950',
        '\nfiles changed:\n- clean.csv (create, 18231 bytes)',
      ),
    ],
    files: ['clean.csv'],
    answer:
      'I removed 50 duplicates: the file had 1,000 rows and now has 950. I saved it as `clean.csv`.',
  },
  {
    name: 'a test that the user runs',
    prompt: 'How do I run the tests?',
    calls: [read('package.json', '{"scripts":{"test":"vitest run"}}')],
    answer: 'Run `npm test`. If all tests pass, you see a green line.',
  },
  {
    name: 'a plan of a week',
    prompt: 'Make me a training plan',
    answer: 'Monday: run 5 km. Wednesday: run 8 km. Sunday: run 12 km. That is a total of 25 km.',
  },
  {
    name: 'an answer after a search',
    prompt: 'Who won?',
    calls: [call('web_search', { query: 'x' }, 'Team A won 3-1 in front of 45,000 spectators.')],
    answer: 'Team A won 3–1. There were 45,000 spectators. I searched the web for it.',
  },
  {
    name: 'a refusal',
    prompt: 'Send an e-mail to Ana',
    answer: 'I cannot send e-mails from here. Here is a draft you can send yourself.',
  },
  {
    name: 'a question back',
    prompt: 'Analyse the file',
    hasAttachments: true,
    answer: 'Which of the columns should I look at?',
  },
  {
    name: 'a honest failure',
    prompt: 'Run the tests',
    calls: [sh('pytest -q', '')],
    answer: 'I could not run the tests: pytest printed nothing.',
  },
  {
    name: 'memory of the user',
    prompt: 'I said I have 3 cats and 2 dogs. How many pets?',
    answer: 'You have 5 pets in total.',
  },
  {
    name: 'memory of the user beside data',
    prompt: 'I have 3 cats and 24 fish. How many pets in total?',
    calls: [read('notes.txt', NOTES)],
    answer: 'You have 27 pets in total.',
  },
  {
    name: 'a version in a lock file',
    prompt: 'Which React?',
    calls: [sh('grep react package.json', '"react": "^18.2.0"')],
    answer: 'The project uses React 18.2.0. The result shows the range ^18.2.0.',
  },
  {
    name: 'edited text with a count',
    prompt: 'Shorten notes.txt',
    calls: [read('notes.txt', NOTES), write('notes.txt', 'Budget 12,500 EUR; 8 people.\n')],
    files: ['notes.txt'],
    answer: 'I have shortened notes.txt from 5 lines to 1 line.',
  },
  {
    name: 'a time',
    prompt: 'How long did it take?',
    calls: [sh('time ./x', 'real 0m3.214s')],
    answer: 'It took 3.2 seconds.',
  },
  {
    name: 'sizes',
    prompt: 'How big is it?',
    calls: [sh('ls -l big.bin', '-rw-r--r-- 1 u u 10485760 Nov 1 10:00 big.bin')],
    answer: 'big.bin has 10,485,760 bytes, which equals 10 MB.',
  },
  {
    name: 'a picture of the workspace',
    prompt: 'What is the total on receipt.png?',
    calls: [read('receipt.png', 'receipt.png is a picture of 800 × 600 pixels.')],
    answer: 'The total is 23.80 EUR.',
  },
  {
    name: 'a list of ideas in Chinese',
    prompt: '给我五个活动建议',
    answer: '1. 登山\n2. 游泳\n3. 看展\n4. 烘焙\n5. 读书\n\n以上共5个建议。',
  },
  {
    name: 'a percentage of the user in Chinese',
    prompt: '我月薪12000，存20%，一年存多少？',
    answer: '每月存 12000 × 20% = 2400 元，一年共存 2400 × 12 = 28800 元。',
  },
  {
    name: 'a percentage of the user beside a file',
    prompt: '我月薪12000，存20%，一年存多少？',
    calls: [read('notes.txt', NOTES)],
    answer: '每月存 12000 × 20% = 2400 元，一年共存 2400 × 12 = 28800 元。',
  },
  {
    name: 'a product review that the user ordered',
    prompt: 'Write a short review of my headphones',
    answer: 'I ordered these headphones in May and I have updated my rating since: 4 of 5 stars.',
  },
  {
    name: 'unit prices',
    prompt: 'Which is cheaper per kilo?',
    hasAttachments: true,
    calls: [read('p.txt', 'A: 2 kg for 5.00\nB: 5 kg for 11.00')],
    answer:
      'A costs 5.00 / 2 = 2.50 per kg, and B 11.00 / 5 = 2.20 per kg. B is cheaper by 0.30 per kg.',
  },
  {
    name: 'a chain of sums',
    prompt: 'Total for 3 chairs and 2 tables?',
    hasAttachments: true,
    calls: [read('p.txt', 'chair 45\ntable 120')],
    answer: 'Three chairs come to 3 × 45 = 135, two tables to 2 × 120 = 240, so the total is 375.',
  },
];
