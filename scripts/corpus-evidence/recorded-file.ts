import type { MadeCall } from '#main/agents/types.ts';
import {
  isCommand,
  printedBy,
  sourceOf,
  tidyPath,
} from '#main/orchestrator/evidence/program-source.ts';
import type { EvidenceVerdict } from '../../test/fakes/evidence-cases.ts';

/** Whether the record says that a file was made: in the app, the file itself is opened. */
export function recordedFile(path: string, calls: readonly MadeCall[]): EvidenceVerdict {
  const name = path.split('/').at(-1) ?? path;
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const written = new RegExp(
    `(?:>>?|\\btee|-o|--output)\\s*['"]?[\\w./-]*${escaped}|(?:open|to_\\w+|savefig|save|write_\\w+|Path|writeFile\\w*)\\(\\s*[frb]?['"][^'"]*${escaped}['"](?!\\s*\\)\\s*\\.read)`,
  );
  let verdict: EvidenceVerdict = 'unverified';
  for (const call of calls) {
    if (call.name === 'sandbox_file') {
      const target = tidyPath(call.arguments.path);
      if (target === path || target.endsWith(`/${path}`))
        verdict = call.status === 'ok' ? 'verified' : 'contradicted';
      continue;
    }
    if (!isCommand(call)) continue;
    const printed = printedBy(call);
    if (
      printed.includes(name) &&
      /No such file|cannot access|not found|Permission denied|No space/i.test(printed)
    )
      verdict = 'contradicted';
    else if (written.test(sourceOf(call)))
      verdict = call.status === 'ok' ? 'verified' : 'contradicted';
    else if (
      /^(?:ls|stat|file|wc|du)\b/.test(sourceOf(call)) &&
      call.status === 'ok' &&
      printed.includes(name)
    )
      verdict = 'verified';
  }
  return verdict;
}
