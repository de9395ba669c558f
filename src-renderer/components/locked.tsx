import { Building2, Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import type { PolicySummary } from '#contract/policy.ts';
import type { Settings } from '#contract/settings.ts';
import { useApp } from '../session-context.ts';
import { policyStrings as words } from '../strings/policy.ts';

type HeldPolicy = Extract<PolicySummary, { state: 'holds' }>;

function usePolicy(): HeldPolicy | null {
  const policy = useApp((state) => state.info?.policy ?? null);
  return policy?.state === 'holds' ? policy : null;
}

/** Who locks any of these settings, and where; null where the user may change them all. */
export function useLock(names: readonly string[]): string | null {
  const policy = usePolicy();
  if (policy === null || !names.some((name) => policy.locked.includes(name))) return null;
  return words.locked(policy.organization, policy.source);
}

/** The names of the settings in a change. */
export function namesOf(changes: Partial<Settings>): string[] {
  return Object.keys(changes);
}

/** Says who locks a setting. */
export function LockNote({ id, text }: { readonly id?: string; readonly text: string }): ReactNode {
  return (
    <p id={id} className="field-note lock-note">
      <Lock aria-hidden="true" size={12} />
      {text}
    </p>
  );
}

/** Controls that are all disabled while somebody locks them. */
export function Disabled({
  lock,
  children,
}: {
  /** Who locks them, and where; null while nobody does. */
  readonly lock: string | null;
  readonly children: ReactNode;
}): ReactNode {
  if (lock === null) return children;
  return (
    <fieldset className="locked" disabled aria-label={lock}>
      {children}
    </fieldset>
  );
}

/** Controls of settings that may be locked: then all of them are disabled, and it says by whom. */
export function Lockable({
  names,
  children,
}: {
  readonly names: readonly (keyof Settings)[];
  readonly children: ReactNode;
}): ReactNode {
  const lock = useLock(names);
  return (
    <>
      <Disabled lock={lock}>{children}</Disabled>
      {lock !== null && <LockNote text={lock} />}
    </>
  );
}

/** That somebody else manages settings, and whom to ask; nothing where nobody does. */
export function ManagedNote(): ReactNode {
  const policy = usePolicy();
  if (policy === null) return null;
  const { organization, contact, source } = policy;
  return (
    <p className="banner managed-note">
      <Building2 aria-hidden="true" size={14} />
      <span>
        {words.managed(organization)} {words.source(source)}.{' '}
        {contact !== null && words.contact(contact)}
      </span>
    </p>
  );
}
