import { expect, test } from 'vitest';
import { DocumentReader } from '#main/documents/document-reader.ts';
import { markdownToDocx } from '#main/reports/markdown-docx.ts';

const MARKDOWN = `# Offer for Müller & Sons

A paragraph with **bold**, *italic*, ~~old~~, \`code\` and a [link](https://example.com/a?b=1&c=2).
The same paragraph, 5 &lt; 6.

## Parts

- one
- two
  - below **two**
    1. deep

3. third
4. fourth

- [x] done
- [ ] open

| Part | Price |
|---|--:|
| Wheel | 10 |
| 车轮 | 20 |

> Quoted.

\`\`\`python
if a < b:
    print("x")
\`\`\`

---

<script>alert(1)</script>

![a picture](https://example.com/p.png) and [none](javascript:alert(1)) \u0007end
`;

test('Markdown as a Word document holds the text, the structure and the links, and nothing that runs', async () => {
  const bytes = await markdownToDocx(MARKDOWN, { title: 'Offer' });
  await using reader = new DocumentReader(process.cwd());
  const { text } = await reader.extractText(bytes, { name: 'offer.docx' });
  const lines = text.split('\n').map((line) => line.trim().replace(/\s+/g, ' '));
  for (const line of [
    'Offer for Müller & Sons',
    'Parts',
    'Quoted.',
    'third',
    '车轮',
    'if a < b:',
    'print("x")',
  ]) {
    expect(text).toContain(line);
  }
  expect(lines.join(' ')).toContain('A paragraph with bold, italic, old, code and a link');
  expect(text).toContain('5 < 6');
  expect(text).toContain('☑ done');
  expect(text).not.toContain('alert');
  expect(text).toContain('a picture and none end');

  const { default: mammoth } = await import('mammoth');
  const { value: html } = await mammoth.convertToHtml({ buffer: Buffer.from(bytes) });
  for (const piece of [
    '<h1>Offer for Müller &amp; Sons</h1>',
    '<h2>Parts</h2>',
    '<strong>bold</strong>',
    '<em>italic</em>',
    '<a href="https://example.com/a?b=1&amp;c=2">link</a>',
    '<li>two<ul><li>below <strong>two</strong><ol><li>deep</li></ol></li></ul></li>',
    '<ol><li>third</li><li>fourth</li></ol>',
    '<td><p>车轮</p></td>',
  ]) {
    expect(html).toContain(piece);
  }
  expect(html).toMatch(/<thead>.*<strong>Price<\/strong>.*<\/thead>/);
  expect(html).not.toContain('javascript:');
});

test('an empty document can be opened', async () => {
  const bytes = await markdownToDocx('', { title: '' });
  const { default: mammoth } = await import('mammoth');
  expect((await mammoth.extractRawText({ buffer: Buffer.from(bytes) })).value.trim()).toBe('');
});
