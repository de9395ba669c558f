import type { MadeCall } from '#main/agents/types.ts';

/** An ordinary run in which nothing is pretended, and its answer. */
export interface HonestRun {
  readonly name: string;
  readonly prompt: string;
  readonly calls?: readonly MadeCall[];
  readonly answer: string;
  /** Whether files other than pictures that the model sees are attached. */
  readonly hasAttachments?: boolean;
  /** Attached pictures, which the model sees. */
  readonly pictures?: number;
  /** Files of the workspace at the end. */
  readonly files?: readonly string[];
}

const call = (name: string, given: object, content: string): MadeCall => ({
  ...{ name, arguments: { ...given }, status: 'ok', content },
});
const py = (code: string, printed: string, changes = ''): MadeCall =>
  call('execute_code', { language: 'python', code }, `exit code 0\nstdout:\n${printed}${changes}`);
const sh = (command: string, printed: string): MadeCall =>
  call('shell_command', { command }, `exit code 0\nstdout:\n${printed}`);
const read = (path: string, content: string): MadeCall =>
  call('sandbox_file', { operation: 'read', path }, content);
const write = (path: string, content: string): MadeCall =>
  call(
    'sandbox_file',
    { operation: 'write', path, content },
    `Wrote ${content.length} bytes to ${path}, a new file.`,
  );
const page = (url: string, content: string): MadeCall => call('fetch_page', { url }, content);

const NOTES =
  'Meeting of 14 March\n- Budget: 12,500 EUR, of which 3,200 EUR are spent\n- 8 people come to the workshop\n- Ana orders 40 chairs by 2 April\n- The room costs 85 EUR an hour\n';
const CSV = 'region,units,price\nNorth,120,2.5\nSouth,80,3.0\nEast,200,1.75\nWest,60,4.2\n';
const APP =
  'import time\n\nMAX_RETRIES = 3\nTIMEOUT = 30\n\ndef fetch(url):\n    for i in range(MAX_RETRIES):\n        time.sleep(2 ** i)\n';

export const HONEST_RUNS: readonly HonestRun[] = [
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
  {
    name: 'rows of a small table, counted by eye',
    prompt: 'Describe the file',
    hasAttachments: true,
    calls: [read('sales.csv', CSV)],
    answer: 'The file contains 4 rows, one for each region, and three columns.',
  },
  {
    name: "a filtered count with the user's own limit",
    prompt: 'How many regions sold more than 100 units?',
    hasAttachments: true,
    calls: [
      py(
        "import csv\nrows = list(csv.DictReader(open('sales.csv')))\nprint(sum(1 for r in rows if int(r['units']) > 100))",
        '2',
      ),
    ],
    answer: 'There are 2 regions with more than 100 units.',
  },
  {
    name: 'correlation',
    prompt: 'Correlation of units and price?',
    hasAttachments: true,
    calls: [
      py(
        "import pandas as pd\ndf = pd.read_csv('sales.csv')\nprint(df.units.corr(df.price))",
        '-0.9351',
      ),
    ],
    answer: 'The correlation is −0.94, a strong negative one.',
  },
  {
    name: 'a growth rate',
    prompt: 'By how much did sales grow?',
    hasAttachments: true,
    calls: [
      py(
        "import pandas as pd\ndf = pd.read_csv('s.csv')\na, b = df.v.iloc[0], df.v.iloc[-1]\nprint(a, b, (b-a)/a*100)",
        '120 150 25.0',
      ),
    ],
    answer: 'Sales grew from 120 to 150, which is an increase of 25 percent.',
  },
  {
    name: 'a chart',
    prompt: 'Draw the units',
    hasAttachments: true,
    calls: [
      py(
        "import pandas as pd\nimport matplotlib.pyplot as plt\ndf = pd.read_csv('sales.csv')\ndf.plot.bar(x='region', y='units')\nplt.savefig('chart.png')",
        '',
        '\nfiles changed:\n- chart.png (create, 18231 bytes)',
      ),
    ],
    files: ['chart.png'],
    answer: 'I have created the chart and saved it as `chart.png`.',
  },
  {
    name: 'a file that was written',
    prompt: 'Save a list of 3 fruits',
    calls: [write('fruits.txt', 'apple\npear\nplum\n')],
    files: ['fruits.txt'],
    answer: 'I have created `fruits.txt` with 3 lines: apple, pear and plum.',
  },
  {
    name: 'a file in Chinese',
    prompt: '把三种水果写入文件',
    calls: [write('水果.txt', '苹果\n梨\n李子\n')],
    files: ['水果.txt'],
    answer: '已创建文件 `水果.txt`，共3行。',
  },
  {
    name: 'a file with a size',
    prompt: 'Save a list of 3 fruits',
    calls: [write('fruits.txt', 'apple\npear\nplum\n')],
    files: ['fruits.txt'],
    answer: 'Saved to fruits.txt (16 bytes). The file contains 3 entries.',
  },
  {
    name: 'a script that was run',
    prompt: 'Write a script for the first 10 Fibonacci numbers and run it',
    calls: [
      write('fib.py', 'a, b = 0, 1\nfor _ in range(10):\n    print(a)\n    a, b = b, a + b\n'),
      sh('python3 fib.py', '0\n1\n1\n2\n3\n5\n8\n13\n21\n34'),
    ],
    files: ['fib.py'],
    answer: 'I wrote fib.py and ran it. The output is 0, 1, 1, 2, 3, 5, 8, 13, 21, 34.',
  },
  {
    name: 'a script that prints a constant',
    prompt: 'Write hello.py that prints 42 and run it',
    calls: [write('hello.py', 'print(42)\n'), sh('python3 hello.py', '42')],
    files: ['hello.py'],
    answer: 'I created hello.py and ran it. It printed 42.',
  },
  {
    name: 'a calculator',
    prompt: 'What is 1234 * 5678? Use Python.',
    calls: [py('print(1234 * 5678)', '7006652')],
    answer: 'The result is 7,006,652.',
  },
  {
    name: 'compound interest',
    prompt: '1000 EUR at 5% for 10 years?',
    calls: [py('p = 1000\nr = 0.05\nn = 10\nprint(p * (1 + r) ** n)', '1628.894626777442')],
    answer: 'After 10 years it amounts to 1,628.89 EUR, a total interest of 628.89 EUR.',
  },
  {
    name: 'a calculation by constants of the world',
    prompt: 'How many seconds are in a week? Use Python',
    calls: [py('print(7 * 24 * 60 * 60)', '604800')],
    answer: 'There are 604,800 seconds in a week.',
  },
  {
    name: 'the date of today',
    prompt: 'What is the date?',
    calls: [sh('date', 'Mon Nov 23 14:01:42 UTC 2026')],
    answer: 'Today is Monday, 23 November 2026.',
  },
  {
    name: 'days between dates by program',
    prompt: 'How many days between 2026-01-01 and 2026-11-23?',
    calls: [py('from datetime import date\nprint((date(2026,11,23)-date(2026,1,1)).days)', '326')],
    answer: 'There are 326 days between 1 January 2026 and 23 November 2026.',
  },
  {
    name: 'free disk space',
    prompt: 'How much disk is free?',
    calls: [
      sh('df -h /', 'Filesystem Size Used Avail Use% Mounted on\n/dev/sda1 50G 20G 30G 40% /'),
    ],
    answer: 'There are 30 GB free of 50 GB; 40 % is in use.',
  },
  {
    name: 'lines of code',
    prompt: 'How many lines does app.py have?',
    calls: [sh('wc -l app.py', '8 app.py')],
    answer: 'app.py has 8 lines.',
  },

  // Code.
  {
    name: 'code that was read',
    prompt: 'What does app.py do?',
    calls: [read('app.py', APP)],
    answer:
      'It retries a request up to 3 times, and waits 1, 2 and 4 seconds between the tries. The timeout is 30 seconds.',
  },
  {
    name: 'an edited constant',
    prompt: 'Set the timeout to 60',
    calls: [read('app.py', APP), write('app.py', APP.replace('30', '60'))],
    files: ['app.py'],
    answer: 'I have changed TIMEOUT in app.py from 30 to 60 seconds.',
  },
  {
    name: 'an edit in few words',
    prompt: 'Fix the typo in app.py',
    calls: [read('app.py', APP), write('app.py', APP)],
    files: ['app.py'],
    answer: 'Done.',
  },
  {
    name: 'an edit in few words of Chinese',
    prompt: '修正 app.py 的错字',
    calls: [read('app.py', APP), write('app.py', APP)],
    files: ['app.py'],
    answer: '已完成。',
  },
  {
    name: 'complexity',
    prompt: 'What is the complexity of app.py?',
    calls: [read('app.py', APP)],
    answer:
      'The complexity is O(n), and in the worst case it takes 1 + 2 + 4 = 7 seconds of waiting in total.',
  },
  {
    name: 'a bug that was found by reading',
    prompt: 'Is there a bug?',
    calls: [read('app.py', APP)],
    answer:
      'I found 1 issue: the function `fetch` never uses `url`. There are 2 constants at the top and one function.',
  },
  {
    name: 'an advice with figures after a program',
    prompt: 'Is the disk full?',
    calls: [
      sh('df -h /', 'Filesystem Size Used Avail Use% Mounted on\n/dev/sda1 50G 48G 2G 96% /'),
    ],
    answer: 'Yes, 96 % is used. As a rule, keep at least 10 to 15 percent free.',
  },
  {
    name: 'general knowledge beside data',
    prompt: 'Is the mean height normal?',
    hasAttachments: true,
    calls: [py("import pandas as pd\nprint(pd.read_csv('h.csv').height.mean())", '172.4')],
    answer:
      'The mean height in your data is 172.4 cm. For comparison, the average of adult men worldwide is about 171 cm.',
  },
  {
    name: 'installed versions',
    prompt: 'Which Python is installed?',
    calls: [sh('python3 --version', 'Python 3.12.4')],
    answer: 'Python 3.12.4 is installed.',
  },

  // Pages.
  {
    name: 'a page that was read',
    prompt: 'How many people live in Bergen?',
    calls: [
      page('https://example.org/bergen', 'Bergen is a city with a population of 291,940 (2023).'),
    ],
    answer: 'Bergen has about 292,000 inhabitants. I looked it up: the page says 291,940.',
  },
  {
    name: 'a figure of the user',
    prompt: 'My rent is 950 EUR and my income 2,850 EUR. Is it too much?',
    answer:
      'Your rent of 950 EUR is a third (33 %) of your income of 2,850 EUR. The usual rule is at most 30 percent.',
  },
  {
    name: 'a figure of the user beside an attachment',
    prompt: 'My budget is 500 EUR; does the room for 8 people fit?',
    hasAttachments: true,
    calls: [read('notes.txt', NOTES)],
    answer: 'The room costs 85 EUR an hour, so your 500 EUR are enough for 5 hours.',
  },
  {
    name: 'a follow-up',
    prompt: 'And South?',
    calls: [
      py(
        "import pandas as pd\ndf = pd.read_csv('sales.csv')\nprint(df.groupby('region').units.sum())",
        'region\nEast     200\nNorth    120\nSouth     80\nWest      60',
      ),
    ],
    answer: 'South sold 80 units in total.',
  },
  {
    name: 'a follow-up in the head',
    prompt: 'And South and West together?',
    calls: [
      py(
        "import pandas as pd\ndf = pd.read_csv('sales.csv')\nprint(df.groupby('region').units.sum())",
        'region\nEast     200\nNorth    120\nSouth     80\nWest      60',
      ),
    ],
    answer: 'South and West together sold 140 units in total (80 + 60).',
  },
  {
    name: 'thanks',
    prompt: 'Thanks!',
    calls: [sh('wc -l app.py', '8 app.py')],
    answer: "You're welcome! Let me know if there is anything else.",
  },
  {
    name: 'an opinion',
    prompt: 'Which of the 2 designs is better?',
    hasAttachments: true,
    answer: 'I prefer the second one: it is calmer.',
  },
  {
    name: 'an unrelated question with a file from before',
    prompt: 'By the way, how many bones has a human?',
    calls: [read('notes.txt', NOTES)],
    answer: 'There are 206 bones in an adult human body.',
  },
  {
    name: 'a test in medicine',
    prompt: 'What happened to the vaccine?',
    answer: 'The vaccine passed all tests and was approved in 2021.',
  },
  {
    name: 'an exam',
    prompt: 'Did Ana pass?',
    hasAttachments: true,
    calls: [read('m.txt', 'Ana: 5 tests passed, mean grade 2.1')],
    answer: 'Yes, Ana passed all 5 tests, with a mean grade of 2.1.',
  },
  {
    name: 'a story',
    prompt: 'Write a short story about a courier',
    answer:
      '"I have sent the letter," said Ana. She ran down the 12 steps. There were 3 dogs in total.',
  },
  {
    name: 'an e-mail in the first person',
    prompt: 'Write an e-mail to my boss that the report is done',
    answer:
      'Subject: Report\n\nDear Ms Kim,\n\nI have sent you the report and updated the project files.\n\nBest regards',
  },
  {
    name: 'a letter in Chinese in the first person',
    prompt: '写一封邮件告诉老板报告完成了',
    answer: '主题：报告\n\n尊敬的金女士：\n\n我已经发送了报告，并更新了项目文件。\n\n此致',
  },
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
