import type { Migration } from '../migrate.ts';

/** The index of the library lies in a file of its own now, and is made anew there from the folders. */
export const libraryApart: Migration = {
  version: 9,
  name: 'library-apart',
  sql: `
    DROP TABLE library_vectors;
    DROP TABLE library_passages;
    DROP TABLE library_words;
    DROP TABLE library_files;
  `,
};
