import { Plus, X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { ChartType } from '#contract/slides.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { pairLabel, type SlotProblem } from '../../store/check-slide.ts';
import type { SlideForm, SlotForm } from '../../store/slide-form.ts';
import { slideStrings } from '../../strings/slides.ts';
import { GridField } from './grid-field.tsx';

const words = slideStrings.form;

/** Texts of one line, as long as nobody wrote more into them. */
const SHORT: ReadonlySet<string> = new Set(['title', 'subtitle', 'by']);

interface SlotFieldProps<Slot = SlotForm> {
  readonly form: SlideForm;
  readonly name: string;
  readonly slot: Slot;
  /** Why it cannot be saved; null where nothing is wrong. */
  readonly problem: SlotProblem | null;
  readonly onChange: (slot: SlotForm) => void;
}

/** What is typed into one slot of a slide. */
export function SlotField(props: SlotFieldProps): ReactNode {
  const { name, slot, problem } = props;
  const noteId = useId();
  const label = words.slots[name] ?? name;
  const content = <SlotInputs {...props} noteId={noteId} label={label} />;
  const hint = slot.kind === 'lines' || slot.kind === 'column' ? words.perLine : null;
  const note = (
    <p id={noteId} className="field-note" data-invalid={problem !== null}>
      {problem?.text ?? hint}
    </p>
  );
  if (slot.kind === 'text' || slot.kind === 'lines') {
    return (
      <div className="field">
        {content}
        {note}
      </div>
    );
  }
  return (
    <fieldset className="field slot-group">
      <legend className="field-label">{label}</legend>
      {content}
      {note}
    </fieldset>
  );
}

interface SlotInputsProps<Slot = SlotForm> extends SlotFieldProps<Slot> {
  readonly noteId: string;
  readonly label: string;
}

type Of<Kind extends SlotForm['kind']> = SlotInputsProps<Extract<SlotForm, { kind: Kind }>>;

function SlotInputs({ slot, ...rest }: SlotInputsProps): ReactNode {
  const { name, label, noteId, problem, onChange } = rest;
  const line = (field: string) => ({ noteId, isInvalid: isAt(problem, field) });
  switch (slot.kind) {
    case 'text': {
      const isShort = SHORT.has(name) && !slot.text.includes('\n');
      const set = (text: string): void => onChange({ ...slot, text });
      return <Line {...line('')} {...{ label, isShort }} value={slot.text} onChange={set} />;
    }
    case 'lines':
      return (
        <Line
          {...line('')}
          label={label}
          value={slot.text}
          onChange={(text) => onChange({ ...slot, text })}
        />
      );
    case 'column':
      return (
        <>
          <Line
            {...line('heading')}
            label={words.heading}
            isShort
            value={slot.heading}
            onChange={(heading) => onChange({ ...slot, heading })}
          />
          <Line
            {...line('items')}
            label={words.slots.items ?? ''}
            value={slot.lines}
            onChange={(lines) => onChange({ ...slot, lines })}
          />
        </>
      );
    case 'picture':
      return (
        <>
          <Line
            {...line('path')}
            label={words.path}
            isShort
            value={slot.path}
            onChange={(path) => onChange({ ...slot, path })}
          />
          <Line
            {...line('alt')}
            label={words.alt}
            value={slot.alt}
            onChange={(alt) => onChange({ ...slot, alt })}
          />
        </>
      );
    case 'pairs':
      return <PairsInputs {...rest} slot={slot} />;
    case 'table':
      return (
        <GridField
          name={label}
          grid={slot.grid}
          hasCorner={false}
          labelOf={(row, at) => (row === 0 ? words.column(at + 1) : words.cell(row, at + 1))}
          describedBy={noteId}
          isInvalid={(field) => isAt(problem, field)}
          onChange={(grid) => onChange({ ...slot, grid })}
        />
      );
    case 'chart':
      return <ChartInputs {...rest} slot={slot} />;
  }
}

function PairsInputs({ form, slot, noteId, problem, onChange }: Of<'pairs'>): ReactNode {
  const { rows } = slot;
  const labels = slot.names.map((name) => pairLabel(form, name) ?? name);
  const set = (rows: typeof slot.rows): void => onChange({ ...slot, rows });
  return (
    <>
      <ul className="slot-rows">
        {rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
          <li key={at} className="slot-row">
            {(['first', 'second'] as const).map((part, index) => (
              <input
                key={part}
                className="text-input"
                dir="auto"
                aria-label={words.inRow(labels[index] ?? '', at + 1)}
                placeholder={labels[index]}
                aria-describedby={noteId}
                aria-invalid={isAt(problem, `${at} ${part}`)}
                value={row[part]}
                onChange={(event) => set(rows.with(at, { ...row, [part]: event.target.value }))}
              />
            ))}
            <IconButton
              label={words.dropRow(at + 1)}
              size="small"
              onClick={() => set(rows.toSpliced(at, 1))}
            >
              <X aria-hidden="true" size={14} />
            </IconButton>
          </li>
        ))}
      </ul>
      <div className="row">
        <Button
          size="small"
          variant="ghost"
          onClick={() => set([...rows, { first: '', second: '', rest: {} }])}
        >
          <Plus aria-hidden="true" size={14} />
          {words.addRow}
        </Button>
      </div>
    </>
  );
}

function ChartInputs({ label, slot, noteId, problem, onChange }: Of<'chart'>): ReactNode {
  const typeId = useId();
  return (
    <>
      <div className="field">
        <label className="field-label" htmlFor={typeId}>
          {words.chartType}
        </label>
        <select
          id={typeId}
          className="text-input"
          value={slot.type}
          onChange={(event) => onChange({ ...slot, type: ChartType.parse(event.target.value) })}
        >
          {ChartType.options.map((type) => (
            <option key={type} value={type}>
              {words.chartTypes[type]}
            </option>
          ))}
        </select>
      </div>
      {(['xTitle', 'yTitle', 'unit'] as const).map((name) => (
        <Line
          key={name}
          noteId={noteId}
          isInvalid={isAt(problem, name)}
          label={words[name]}
          isShort
          value={slot[name]}
          onChange={(text) => onChange({ ...slot, [name]: text })}
        />
      ))}
      <GridField
        name={label}
        grid={slot.grid}
        hasCorner
        labelOf={(row, at) => {
          if (row === 0) return words.series(at);
          return at === 0 ? words.category(row) : words.value(row, at);
        }}
        describedBy={noteId}
        isInvalid={(field) => isAt(problem, field)}
        onChange={(grid) => onChange({ ...slot, grid })}
      />
    </>
  );
}

/** Whether a field of a slot is refused, or the slot as a whole. */
function isAt(problem: SlotProblem | null, field: string): boolean {
  return problem !== null && (problem.field === null || problem.field === field);
}

function Line({
  label,
  value,
  isShort = false,
  noteId,
  isInvalid,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly isShort?: boolean;
  readonly noteId: string;
  readonly isInvalid: boolean;
  readonly onChange: (text: string) => void;
}): ReactNode {
  const id = useId();
  const shared = {
    ...{ id, value, dir: 'auto', 'aria-describedby': noteId, 'aria-invalid': isInvalid },
    onChange: (event: { readonly target: { readonly value: string } }) =>
      onChange(event.target.value),
  };
  return (
    <div className="field" data-invalid={isInvalid}>
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      {isShort ? (
        <input className="text-input" {...shared} />
      ) : (
        <textarea className="text-input growing" rows={2} {...shared} />
      )}
    </div>
  );
}
