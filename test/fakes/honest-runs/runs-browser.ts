import { call, type HonestRun } from './parts.ts';

const browser = (name: string, content: string, given: object = {}) =>
  call(`browser_${name}`, given, content);
const SHOP = 'https://tea.example/';
const VIEW = `Opened tea.example.
Page: Tea shop - ${SHOP} (screen 1 of 2)
# Order tea
[e1] textbox "Name" required
[e2] combobox "Kind" = "green" options: "green", "black"
[e3] button "Place order"
Free delivery from 30 euros. We ship on the day of your order, if it reaches us before noon.
… 4 more lines of text: browser_scroll, browser_find`;
const ORDERED = `Clicked button "Place order".
Page: Thanks - ${SHOP}thanks
# Thank you, Ada!
Order 4711 is on its way. It arrives on 12 May.`;

/** Ordinary tasks in the browser. */
export const RUNS: readonly HonestRun[] = [
  {
    name: 'an order in the browser',
    prompt: 'Order black tea for Ada at tea.example',
    calls: [
      browser('navigate', VIEW, { url: SHOP }),
      browser(
        'type',
        `Typed into textbox "Name".\nPage: Tea shop - ${SHOP}\nChanged:\n~ [e1] textbox "Name" = "Ada" required`,
        { ref: 'e1', text: 'Ada' },
      ),
      browser(
        'select',
        `Selected "black" in combobox "Kind".\nPage: Tea shop - ${SHOP}\nChanged:\n~ [e2] combobox "Kind" = "black" options: "green", "black"`,
      ),
      browser('click', ORDERED),
    ],
    answer:
      'I submitted the order. The page confirms it: "Order 4711 is on its way", and says it "arrives on 12 May".',
  },
  {
    name: 'what a page offers',
    prompt: 'Does tea.example deliver for free?',
    calls: [browser('navigate', VIEW, { url: SHOP })],
    answer: `Yes. The page at ${SHOP} says "Free delivery from 30 euros", and that they ship the same day for orders before noon.`,
  },
  {
    name: 'a text that was looked for',
    prompt: 'Is there a phone number?',
    calls: [
      browser('navigate', VIEW, { url: SHOP }),
      browser('find', '1 found:\n[e9] text "Call us: 030 1234"', { text: 'call' }),
      browser(
        'scroll',
        `Scrolled down.\nPage: Tea shop - ${SHOP} (screen 2 of 2)\nCall us: 030 1234\nImprint`,
      ),
    ],
    answer: 'The site shows “Call us: 030 1234” at its end.',
  },
  {
    name: 'a message of a dialog',
    prompt: 'Press save on the page',
    calls: [
      browser('navigate', VIEW, { url: SHOP }),
      browser(
        'click',
        `Clicked button "Save".\nThe page said: "All changes are saved."\nPage: Tea shop - ${SHOP}\nNothing changed on the page.`,
      ),
    ],
    answer: 'Done. The page said "All changes are saved."',
  },
  {
    name: 'a page without what was asked for',
    prompt: 'Is there green rooibos?',
    calls: [
      browser('navigate', VIEW, { url: SHOP }),
      browser('find', 'Nothing on the page matches "rooibos".', { text: 'rooibos' }),
    ],
    answer: 'I visited the shop. The page does not show "rooibos" anywhere.',
  },
  {
    name: 'a page in Chinese',
    prompt: '打开页面看看标题',
    calls: [
      browser(
        'navigate',
        `Opened cn.example.\nPage: 公告 - https://cn.example/\n# 停水通知\n十一月三十日停水。`,
      ),
    ],
    answer: '页面显示“停水通知”，即“十一月三十日停水”。',
  },
];
