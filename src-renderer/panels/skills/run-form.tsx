import { Play } from 'lucide-react';
import { type FormEvent, type ReactNode, useId, useMemo, useRef, useState } from 'react';
import type { SkillDetail, SkillMetadata } from '#contract/skills.ts';
import { Button } from '../../components/button.tsx';
import { useSession } from '../../session-context.ts';
import {
  type FieldProblem,
  type FormValues,
  formFields,
  initialValues,
  readForm,
} from '../../store/skill-form.ts';
import { skillStrings } from '../../strings/skills.ts';
import { FormFieldRow } from './run-field.tsx';

const words = skillStrings.form;

/**
 * Starts a task with a skill: by its parameters, or a Markdown skill by a request in words. Opens the
 * task, except in the editor.
 */
export function RunForm({
  skill,
  isHere = false,
}: {
  readonly skill: SkillDetail;
  readonly isHere?: boolean;
}): ReactNode {
  const { metadata, summary } = skill;
  return metadata === null ? (
    <RequestForm name={summary.name} />
  ) : (
    <ParameterForm metadata={metadata} isHere={isHere} />
  );
}

type Problems = Readonly<Record<string, FieldProblem>>;

function ParameterForm({
  metadata,
  isHere,
}: {
  readonly metadata: SkillMetadata;
  readonly isHere: boolean;
}): ReactNode {
  const { skills } = useSession();
  const { id, name, parameters } = metadata;
  const fields = useMemo(() => formFields(parameters), [parameters]);
  const [values, setValues] = useState<FormValues>(() => initialValues(fields));
  const [problems, setProblems] = useState<Problems>({});
  const [refusal, setRefusal] = useState<string | null>(null);
  const [sending, setSending] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const titleId = useId();

  const change = (field: string, value: string): void => {
    setValues((before) => ({ ...before, [field]: value }));
    setProblems(({ [field]: _mended, ...others }) => others);
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (sending) return;
    const read = readForm(parameters, values);
    if (!read.ok) {
      setProblems(read.problems);
      setRefusal(words.invalid(Object.keys(read.problems).length));
      const first = fields.find((field) => Object.hasOwn(read.problems, field.name));
      form.current?.querySelector<HTMLElement>(`[name="${first?.name}"]`)?.focus();
      return;
    }
    setRefusal(null);
    setSending(true);
    const skill = { id, params: { ...read.params } };
    const prompt = words.prompt(name);
    const error = await (isHere ? skills.runHere(prompt, skill) : skills.run(prompt, skill));
    setSending(false);
    setRefusal(error?.message ?? null);
  };
  return (
    <form
      className="skill-form"
      ref={form}
      aria-labelledby={titleId}
      noValidate
      onSubmit={(event) => void submit(event)}
    >
      <h2 id={titleId}>{words.title}</h2>
      {fields.map((field) => (
        <FormFieldRow
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          // A parameter may be called `constructor`, which every object has.
          problem={Object.hasOwn(problems, field.name) ? (problems[field.name] ?? null) : null}
          onChange={(value) => change(field.name, value)}
        />
      ))}
      <Refusal text={refusal} />
      <Button type="submit" variant="primary" disabled={sending}>
        <Play aria-hidden="true" size={14} />
        {words.start}
      </Button>
    </form>
  );
}

function RequestForm({ name }: { readonly name: string }): ReactNode {
  const { skills } = useSession();
  const [text, setText] = useState('');
  const [refusal, setRefusal] = useState<string | null>(null);
  const [sending, setSending] = useState(false);
  const id = useId();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (text.trim() === '' || sending) return;
    setSending(true);
    const error = await skills.run(words.requestPrompt(name, text.trim()));
    setSending(false);
    setRefusal(error?.message ?? null);
  };
  return (
    <form
      className="skill-form"
      aria-labelledby={`${id}-title`}
      onSubmit={(event) => void submit(event)}
    >
      <h2 id={`${id}-title`}>{words.title}</h2>
      <div className="field">
        <label className="field-label" htmlFor={id}>
          {words.request}
        </label>
        <textarea
          id={id}
          className="text-input growing"
          rows={3}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <Refusal text={refusal} />
      <Button type="submit" variant="primary" disabled={sending || text.trim() === ''}>
        <Play aria-hidden="true" size={14} />
        {words.start}
      </Button>
    </form>
  );
}

function Refusal({ text }: { readonly text: string | null }): ReactNode {
  if (text === null) return null;
  return (
    <p className="banner" data-tone="danger" role="alert">
      {text}
    </p>
  );
}
