import { EXIT } from '../exit-codes.ts';
import { jsonLine, print } from '../output.ts';
import { describeFinding } from '../skill-text.ts';
import { showControls } from '../visible-text.ts';

/** `hyperagent skills validate`: reads only the folder, without the app or its data. Exits with 1 on errors. */
export async function validateSkill(
  dir: string,
  { json }: { readonly json?: boolean },
): Promise<number> {
  const { validateSkillFolder } = await import('../../skills/markdown/validate-skill.ts');
  const { name, findings } = await validateSkillFolder(dir);
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const valid = errors === 0;
  if (json) {
    print(jsonLine({ name, valid, findings }));
  } else {
    for (const finding of findings) print(`${showControls(describeFinding(finding))}\n`);
    const others = findings.length - errors;
    const counts = [counted(errors, 'error'), counted(others, 'other finding')].filter(Boolean);
    const what = name === null ? dir : `The skill ${name}`;
    const more = counts.length === 0 ? '' : `: ${counts.join(', ')}`;
    print(`${showControls(what)} is ${valid ? 'valid' : 'not valid'}${more}.\n`);
  }
  return valid ? EXIT.complete : EXIT.failed;
}

function counted(count: number, noun: string): string {
  return count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`;
}
