import { Download } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { saveText } from '../../bridge/save-file.ts';
import { Button } from '../../components/button.tsx';
import { cutMiddle } from '../../store/tool-output.ts';
import { toolStrings } from '../../strings/tools.ts';

/** Escape sequences colour the terminal; here they would be noise. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what is looked for
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-_])/g;

/** Output as text: of a long one both ends, how much is hidden between them, and ways to all of it. */
export function LongOutput({
  text,
  name,
  isTail = false,
}: {
  readonly text: string;
  /** Of the file that it can be saved as. */
  readonly name: string;
  /** Its beginning is not at hand. */
  readonly isTail?: boolean;
}): ReactNode {
  const plain = useMemo(() => text.replace(ESCAPES, ''), [text]);
  const cut = useMemo(() => cutMiddle(plain), [plain]);
  const [all, setAll] = useState(false);
  return (
    <>
      {isTail && <p className="muted output-note">{toolStrings.onlyEnd}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className="output" tabIndex={0}>
        {cut === null || all ? (
          plain
        ) : (
          <>
            {cut.head}
            <span className="output-gap">
              {toolStrings.hidden(cut.hiddenLines, cut.hiddenChars)}
            </span>
            {cut.tail}
          </>
        )}
      </pre>
      {cut !== null && (
        <div className="row output-actions">
          <Button size="small" variant="ghost" aria-expanded={all} onClick={() => setAll(!all)}>
            {all
              ? toolStrings.showEnds
              : toolStrings.showAll(plain.replace(/\n$/, '').split('\n').length)}
          </Button>
          <Button size="small" variant="ghost" onClick={() => saveText(name, plain, 'text/plain')}>
            <Download aria-hidden="true" size={14} />
            {toolStrings.saveOutput}
          </Button>
        </div>
      )}
    </>
  );
}
