import { expect, test } from 'vitest';
import { openAppBench } from '../fakes/app-bench.ts';
import type { DirectedReply, DirectedRequest } from '../fakes/directed-model.ts';
import { scannedPdf } from '../fakes/scanned-pdf.ts';

/** Scanned PDFs through the whole app. */

const isLooking = ({ system }: DirectedRequest): boolean => system.startsWith('You look at');
const EYES = { name: 'eyes', capabilities: ['completion', 'vision'] };
const BLIND = { name: 'x', capabilities: ['completion', 'tools'] };

test('an attached scan is read by OCR, and one of its pages is looked at by a model that sees', async () => {
  const calls = [
    { name: 'sandbox_file', arguments: { operation: 'read', path: 'lease.pdf' } },
    { name: 'analyze_image', arguments: { path: 'lease.pdf', question: 'Is it signed?', page: 2 } },
    { name: 'analyze_image', arguments: { path: 'lease.pdf', question: 'Is it signed?', page: 9 } },
  ];
  const bench = await openAppBench(
    (request): DirectedReply => {
      if (isLooking(request)) return { content: 'Yes, by Margaret Hale.' };
      const call = calls[request.results.length];
      return call === undefined ? { content: 'Read.' } : { calls: [call] };
    },
    {},
    [BLIND, EYES],
  );
  const lease = await scannedPdf([
    { printed: ['Lease of the warehouse', 'The rent is 1,840 euros a month.'] },
    { printed: ['Signed by Margaret Hale'] },
  ]);
  const run = await bench.start('Read the lease.', {}, { 'lease.pdf': lease });
  const played = await bench.settled(run.id);
  const [read, looked, missing] = played.of('tool_result');
  expect(read?.content).toMatch(
    /\[Page 1: a scan, read by OCR with \d+ % confidence\.[\s\S]*1,840 euros[\s\S]*\[Page 2: a scan/,
  );
  expect(looked?.content).toContain('Yes, by Margaret Hale.');
  expect(missing?.content).toContain('The PDF has 2 pages; there is no page 9.');
  const [asked] = bench.requests.filter(isLooking);
  expect(asked?.messages.map(({ images = [] }) => images.length).at(-1)).toBe(1);
  expect(played.of('stage').map(({ description }) => description)).toContain(
    'Reading page 2 of 2 of lease.pdf',
  );
});
