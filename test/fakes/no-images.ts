import type { ImageMaker } from '#main/images/image-service.ts';

/** For tests without pictures: there is no server, and making them fails. */
export const noImages: ImageMaker = {
  contacts: () => [],
  isReady: async () => false,
  make: () => Promise.reject(new Error('This test has no pictures')),
};
