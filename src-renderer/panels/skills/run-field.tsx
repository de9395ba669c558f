import { type ReactNode, useId } from 'react';
import { VisibleText } from '../../components/visible-text.tsx';
import type { FieldProblem, FormField } from '../../store/skill-form.ts';
import { skillStrings } from '../../strings/skills.ts';

const words = skillStrings.form;

interface FieldProps {
  readonly field: FormField;
  readonly value: string;
  readonly problem: FieldProblem | null;
  readonly onChange: (value: string) => void;
}

/** A parameter field, with its description and its problem. */
export function FormFieldRow(props: FieldProps): ReactNode {
  const { field, problem } = props;
  const id = useId();
  const noteId = `${id}-note`;
  const label = (
    <label className="field-label" htmlFor={id}>
      <VisibleText text={field.label} />
      {field.required && <span className="field-required">{words.required}</span>}
    </label>
  );
  const control = <Control {...props} id={id} noteId={noteId} />;
  return (
    <div className="field" data-invalid={problem !== null}>
      {field.kind === 'boolean' ? (
        <span className="skill-check">
          {control}
          {label}
        </span>
      ) : (
        <>
          {label}
          {control}
        </>
      )}
      <p id={noteId} className="field-note" role={problem === null ? undefined : 'alert'}>
        {problem === null ? (
          <VisibleText text={field.description} />
        ) : (
          skillStrings.form.problems[problem]
        )}
      </p>
    </div>
  );
}

function Control({
  field,
  value,
  problem,
  onChange,
  id,
  noteId,
}: FieldProps & { readonly id: string; readonly noteId: string }): ReactNode {
  const { name, kind, required, options } = field;
  const common = {
    id,
    name,
    'aria-describedby': noteId,
    'aria-invalid': problem !== null,
    'aria-required': required,
  } as const;
  switch (kind) {
    case 'boolean': {
      const { 'aria-required': _unused, ...rest } = common;
      return (
        <input
          {...rest}
          type="checkbox"
          checked={value === 'true'}
          onChange={(event) => onChange(String(event.target.checked))}
        />
      );
    }
    case 'choice':
      return (
        <select
          {...common}
          className="text-input"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          <option value="">{words.choose}</option>
          {options.map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </select>
      );
    case 'long_text':
    case 'list':
    case 'json':
      return (
        <textarea
          {...common}
          className={kind === 'json' ? 'text-input growing code-input' : 'text-input growing'}
          rows={kind === 'long_text' ? 4 : 3}
          value={value}
          placeholder={kind === 'long_text' ? undefined : words.placeholders[kind]}
          spellCheck={kind === 'long_text'}
          onChange={(event) => onChange(event.target.value)}
        />
      );
    case 'text':
    case 'number':
      return (
        <input
          {...common}
          className="text-input"
          inputMode={kind === 'number' ? 'decimal' : undefined}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      );
  }
}
