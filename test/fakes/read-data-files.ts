import { analyst, report, runs } from './analyst-model.ts';
import { openSkillBench } from './skill-bench.ts';

/** Prints every row of every file as programs of the model get them. */
const ROWS = `import sys, json, glob
sys.path.insert(0, ".hyperagent")
from data_files import rows, tables
found = {}
for path in sorted(glob.glob("*.*")):
    if not path.endswith(("-wal", "-shm")):
        try:
            found[path] = {name: list(rows(path, name)) for name in tables(path)}
        except Exception as error:
            found[path] = str(error)
json.dump(found, open("rows.out", "w"), default=str)
print("There are", len(found))
`;

type Rows = Readonly<Record<string, Readonly<Record<string, readonly object[]>>>>;
export interface ProfiledFile {
  readonly path: string;
  readonly encoding?: string;
  readonly certain?: boolean;
  readonly error?: { readonly code: string; readonly message: string };
  readonly tables: readonly {
    readonly notes: readonly string[];
    readonly columns: readonly ({ readonly name: string } & Readonly<Record<string, unknown>>)[];
  }[];
}

/** Rows and profile of files, by the modules of the app in a real sandbox. */
export async function readAll(files: Readonly<Record<string, string | Uint8Array>>, more = '') {
  const count = Object.keys(files).filter((path) => !path.endsWith('-wal')).length;
  const bench = await openSkillBench(
    analyst({
      loop: [runs(`${ROWS}${more}`), { content: 'Done.' }],
      reports: [report(`There are ${count} files.`)],
    }),
  );
  const { output, run } = await bench.invoke('data_analysis', { request: 'List all.' }, { files });
  const json = async (path: string) =>
    JSON.parse(Buffer.from(await bench.bytes(run.threadId, path)).toString());
  const profile = (await json('.hyperagent/data-profile.json')) as { files: ProfiledFile[] };
  const byPath = new Map(profile.files.map((file) => [file.path, file]));
  return {
    rows: (await json('rows.out')) as Rows,
    /** A file that the program wrote, as JSON. */
    json,
    file: (path: string) => byPath.get(path),
    output,
  };
}
