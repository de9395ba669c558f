import { ArrowDown, ArrowUp, Lock, Plus, Trash2 } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
import { MAX_EDITED_STEPS } from '#contract/plans.ts';
import { useAnnounce } from '../../components/announcer.tsx';
import { Button, IconButton } from '../../components/button.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { useApp, useSession } from '../../session-context.ts';
import { type EditRow, isChanged, moveRow, type PlanEdit } from '../../store/plan-edit.ts';
import type { PlanView } from '../../store/plan-view.ts';
import { planStrings } from '../../strings/plan.ts';

const words = planStrings.edit;

/** The focused control of a row, kept while rows move. */
type Part = 'title' | 'up' | 'down';

/** Reorders, renames, removes and adds pending steps, also by keyboard. */
export function PlanEditor({
  runId,
  states,
}: {
  readonly runId: string;
  /** The current state of the steps. */
  readonly states: PlanView['steps'];
}): ReactNode {
  const { plans } = useSession();
  const announce = useAnnounce();
  const edit = useApp((state) => state.planEdits.get(runId) ?? null);
  const list = useRef<HTMLOListElement>(null);
  const wanted = useRef<string | null>(null);
  // A moved row keeps the focus, and a new one gets it.
  useLayoutEffect(() => {
    if (wanted.current === null) return;
    const part = list.current?.querySelector<HTMLElement>(`[data-part="${wanted.current}"]`);
    wanted.current = null;
    const isOff = part instanceof HTMLButtonElement && part.disabled;
    const row = part?.closest('li');
    (isOff ? row?.querySelector<HTMLElement>('input') : part)?.focus();
  });
  if (edit === null) return null;
  const rows = edit.rows.map((row) => ({ ...row, fixed: row.fixed || hasBegun(row, states) }));

  const move = (row: EditRow, by: -1 | 1, part: Part): void => {
    const moved = moveRow(rows, row.key, by);
    if (moved === rows) return;
    wanted.current = `${row.key} ${part}`;
    plans.move(runId, row.key, by);
    const place = moved.findIndex(({ key }) => key === row.key) + 1;
    announce(words.moved(nameOf(row), place, moved.length));
  };
  const add = (): void => {
    const key = plans.add(runId);
    if (key !== null) wanted.current = `${key} title`;
  };
  const drop = (row: EditRow, index: number): void => {
    const next = rows[index + 1] ?? rows[index - 1];
    if (next !== undefined) wanted.current = `${next.key} title`;
    plans.drop(runId, row.key);
  };
  const save = async (): Promise<void> => {
    if (await plans.save(runId)) announce(words.saved);
  };
  return (
    <form
      className="plan-editor"
      aria-label={words.title}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Problem edit={edit} />
      <p className="muted plan-hint">{words.hint}</p>
      <ol ref={list} className="edit-list" aria-label={planStrings.steps}>
        {rows.map((row, index) =>
          row.fixed ? (
            <li key={row.key} className="edit-row" data-fixed="true">
              <Lock role="img" aria-label={words.fixed} size={14} />
              <span className="edit-fixed">
                <VisibleText text={row.title} />
              </span>
            </li>
          ) : (
            <EditableRow
              key={row.key}
              row={row}
              place={index + 1}
              canMove={(by) => moveRow(rows, row.key, by) !== rows}
              onMove={(by, part) => move(row, by, part)}
              onRename={(title) => plans.rename(runId, row.key, title)}
              onDrop={() => drop(row, index)}
            />
          ),
        )}
      </ol>
      <Button size="small" variant="ghost" disabled={rows.length >= MAX_EDITED_STEPS} onClick={add}>
        <Plus aria-hidden="true" size={14} />
        {words.add}
      </Button>
      {rows.length >= MAX_EDITED_STEPS && <p className="muted">{words.full(MAX_EDITED_STEPS)}</p>}
      <div className="row">
        <Button
          type="submit"
          variant="primary"
          disabled={edit.saving || (!isChanged(edit) && edit.problem === null)}
        >
          {edit.saving && <Spinner />}
          {edit.saving ? words.saving : words.save}
        </Button>
        <Button variant="ghost" disabled={edit.saving} onClick={() => plans.discard(runId)}>
          {words.discard}
        </Button>
      </div>
    </form>
  );
}

function hasBegun({ id }: EditRow, states: PlanView['steps']): boolean {
  const status = id === null ? undefined : states.get(id)?.status;
  return status !== undefined && status !== 'pending';
}

function nameOf({ title }: EditRow): string {
  return title.trim() === '' ? words.newStep : title;
}

function Problem({ edit: { problem, lost } }: { readonly edit: PlanEdit }): ReactNode {
  if (problem === null) return null;
  return (
    <div className="banner" data-tone="warning" role="alert">
      <div>
        <p>{problem}</p>
        {lost.length > 0 && (
          <>
            <p>{words.lost}</p>
            <ul className="plan-lost">
              {lost.map((title) => (
                <li key={title}>
                  <VisibleText text={title} />
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </div>
  );
}

function EditableRow({
  row,
  place,
  canMove,
  onMove,
  onRename,
  onDrop,
}: {
  readonly row: EditRow;
  readonly place: number;
  readonly canMove: (by: -1 | 1) => boolean;
  readonly onMove: (by: -1 | 1, part: Part) => void;
  readonly onRename: (title: string) => void;
  readonly onDrop: () => void;
}): ReactNode {
  const name = nameOf(row);
  const press = (event: KeyboardEvent): void => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    const part = partOf(event.target);
    onMove(event.key === 'ArrowUp' ? -1 : 1, part);
  };
  return (
    <li className="edit-row" onKeyDown={press}>
      <input
        className="text-input"
        aria-label={words.stepTitle(place)}
        placeholder={words.placeholder}
        maxLength={200}
        value={row.title}
        data-part={`${row.key} title`}
        onChange={(event) => onRename(event.target.value)}
      />
      <IconButton
        size="small"
        label={words.up(name)}
        disabled={!canMove(-1)}
        data-part={`${row.key} up`}
        onClick={() => onMove(-1, 'up')}
      >
        <ArrowUp aria-hidden="true" size={14} />
      </IconButton>
      <IconButton
        size="small"
        label={words.down(name)}
        disabled={!canMove(1)}
        data-part={`${row.key} down`}
        onClick={() => onMove(1, 'down')}
      >
        <ArrowDown aria-hidden="true" size={14} />
      </IconButton>
      <IconButton size="small" label={words.drop(name)} onClick={onDrop}>
        <Trash2 aria-hidden="true" size={14} />
      </IconButton>
    </li>
  );
}

function partOf(target: EventTarget): Part {
  const part = target instanceof HTMLElement ? target.dataset.part : undefined;
  return part?.endsWith(' up') ? 'up' : part?.endsWith(' down') ? 'down' : 'title';
}
