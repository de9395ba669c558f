import type { DataCase } from './data-case.ts';
import {
  database,
  dates,
  headerOnly,
  jsonLines,
  mixed,
  parquet,
  twoSheets,
} from './table-cases.ts';
import { broken, chinese, german, million, wide, withBom } from './text-cases.ts';

/** Files, none like another. */
export function dataCases(): DataCase[] {
  return [
    ...[withBom(), german(), chinese(), broken(), million(), dates(), mixed(), headerOnly()],
    ...[twoSheets(), jsonLines(), database(), wide(), parquet()],
  ];
}
