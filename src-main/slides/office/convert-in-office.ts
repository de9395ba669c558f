import { randomUUID } from 'node:crypto';
import { AppError } from '#contract/errors.ts';
import { closedEgress } from '../../egress/closed-egress.ts';
import { quote } from '../../sandbox/shell/shell-text.ts';
import type { TaskSandbox } from '../../sandbox/types.ts';

const TIME_MS = 120_000;
const LARGEST_PDF = 100 * 1024 * 1024;
/** What the script ends with where there is no LibreOffice. */
const NOT_INSTALLED = 127;

const NO_NETWORK = closedEgress('offline', 'LibreOffice has no network.');

export type Converted =
  | { readonly pdf: Uint8Array }
  /** Why there is none, as a phrase. */
  | { readonly why: string };

/**
 * A presentation as LibreOffice shows it, as PDF. It runs in a shell of its own, in the sandbox of the task and without
 * network. What it gives is not trusted. Throws `SANDBOX_UNAVAILABLE` where no sandbox is ready: none is prepared for this.
 */
export async function convertInOffice(
  path: string,
  sandbox: TaskSandbox,
  signal: AbortSignal,
): Promise<Converted> {
  const commandId = `office-${randomUUID().slice(0, 8)}`;
  // One for each check: a shell ends for all who use its name.
  await using shell = sandbox.beside().shell(commandId);
  // It would share that of the run that is going on.
  using _offline = shell.openNetwork(NO_NETWORK);
  const runtime = await shell.runtime({ signal, onProgress: null });
  const made = `.hyperagent/slides/${commandId}.pdf`;
  const files = sandbox.workspace.withoutLinks();
  const command = {
    commandId,
    language: 'bash',
    code: scriptOf(path, made),
    timeoutMs: TIME_MS,
  } as const;
  const { outcome, exitCode } = await runtime.run(command, { signal, onOutput: () => undefined });
  signal.throwIfAborted();
  if (exitCode === NOT_INSTALLED) return { why: 'not installed' };
  if (outcome === 'timed_out') return { why: 'it took too long' };
  try {
    const { data, size } = await files.read(made, LARGEST_PDF);
    return data.length < size ? { why: 'the PDF that it made is too large' } : { pdf: data };
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND')
      return { why: 'it could not open the file' };
    throw error;
  } finally {
    await files.remove(made).catch(() => undefined);
  }
}

/** With a profile of its own, so that no settings of the user's matter and macros stay off. */
function scriptOf(path: string, made: string): string {
  return `(
office=$(command -v soffice || command -v libreoffice)
mac=/Applications/LibreOffice.app/Contents/MacOS/soffice
if [ -z "$office" ] && [ -x "$mac" ]; then office=$mac; fi
[ -n "$office" ] || exit ${NOT_INSTALLED}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cp -- ${quote(`./${path}`)} "$dir/deck.pptx" || exit 1
"$office" "-env:UserInstallation=file://$dir/profile" --headless --norestore --nolockcheck \\
  --convert-to pdf --outdir "$dir" "$dir/deck.pptx" >/dev/null 2>&1 </dev/null
mkdir -p .hyperagent/slides && mv -- "$dir/deck.pdf" ${quote(`./${made}`)}
)`;
}
