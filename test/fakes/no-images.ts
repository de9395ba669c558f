import type { ImageMaker } from '#main/images/image-service.ts';

/** For tests without pictures: there is no server, and making them fails. */
export const noImages: ImageMaker = {
  contacts: () => [],
  place: async () => ({ where: 'nowhere', why: 'This test has no pictures.' }),
  make: () => Promise.reject(new Error('This test has no pictures')),
};
