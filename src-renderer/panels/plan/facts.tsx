import { Check, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Fact } from '#contract/plans.ts';
import { VisibleText } from '../../components/visible-text.tsx';
import { planStrings as words } from '../../strings/plan.ts';

/** The checked facts: each claim, whether it holds, and its evidence. */
export function FactList({
  facts,
  label,
}: {
  readonly facts: readonly Fact[];
  readonly label: string;
}): ReactNode {
  return (
    <ul className="fact-list" aria-label={label}>
      {facts.map((fact, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: facts have no name but their place
        <li key={index} className="fact" data-holds={fact.holds}>
          {fact.holds ? (
            <Check role="img" aria-label={words.holds} size={14} />
          ) : (
            <X role="img" aria-label={words.holdsNot} size={14} />
          )}
          <span>
            <VisibleText text={fact.claim} />
            {fact.evidence !== '' && (
              <span className="fact-evidence muted">
                <VisibleText text={fact.evidence} />
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** How many of the checks passed, in words. */
export function factCount(facts: readonly Fact[]): string {
  return words.factCount(facts.filter(({ holds }) => holds).length, facts.length);
}
