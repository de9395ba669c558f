import { pictureDecoding } from './decode-picture.ts';
import { serveJobs } from './serve-jobs.ts';
import type { DecodedPicture, PictureJob, PictureLimits } from './types.ts';

/** The process in which pictures are decoded. */
const decode = pictureDecoding(JSON.parse(process.argv[2] ?? '') as PictureLimits);

serveJobs<PictureJob, DecodedPicture>(({ bytes, ...job }) => decode(bytes, job));
