import { readDataTable } from '#main/slides/given/data-table.ts';
import type { SlideMaker } from '#main/slides/slide-service-types.ts';

/** For tests without slides: making and opening them fails. */
export const noSlides: SlideMaker = {
  make: () => Promise.reject(new Error('This test has no slides')),
  takeTemplate: () => Promise.reject(new Error('This test has no slides')),
  checkInOffice: async () => ({ state: 'not_checked', why: 'not installed' }),
  readTable: readDataTable,
  open: () => Promise.reject(new Error('This test has no slides')),
};
