import type { ReactNode } from 'react';
import { questionStrings } from '../../strings/questions.ts';

/** Arguments as editable text: strings verbatim, everything else as JSON. */
export type EditedFields = ReadonlyMap<string, string>;

export function fieldsOf(values: Readonly<Record<string, unknown>>): EditedFields {
  return new Map(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
}

/** The arguments from the fields; null while one of them is not valid JSON. */
export function valuesOf(
  fields: EditedFields,
  original: Readonly<Record<string, unknown>>,
): Record<string, unknown> | null {
  const values: Record<string, unknown> = {};
  for (const [name, text] of fields) {
    if (typeof original[name] === 'string') {
      values[name] = text;
      continue;
    }
    try {
      values[name] = JSON.parse(text);
    } catch {
      return null;
    }
  }
  return values;
}

/** A field for each argument. */
export function ArgumentsEditor({
  fields,
  original,
  onChange,
}: {
  readonly fields: EditedFields;
  readonly original: Readonly<Record<string, unknown>>;
  readonly onChange: (fields: EditedFields) => void;
}): ReactNode {
  return (
    <div className="arguments-editor">
      {[...fields].map(([name, text]) => {
        const isText = typeof original[name] === 'string';
        const isWrong = !isText && !isJson(text);
        return (
          <label key={name} className="field" data-invalid={isWrong}>
            <span className="field-label">{name}</span>
            <textarea
              className="text-input growing code-input"
              rows={Math.min(12, text.split('\n').length)}
              spellCheck={false}
              aria-invalid={isWrong}
              value={text}
              onChange={(event) => onChange(new Map(fields).set(name, event.target.value))}
            />
            {isWrong && (
              <span className="field-note" role="alert">
                {questionStrings.notJson}
              </span>
            )}
          </label>
        );
      })}
    </div>
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
