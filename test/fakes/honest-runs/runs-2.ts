import { APP, CSV, type HonestRun, NOTES, page, py, read, sh, write } from './parts.ts';

export const RUNS: readonly HonestRun[] = [
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
];
