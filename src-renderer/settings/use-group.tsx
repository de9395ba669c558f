import type { ReactNode } from 'react';
import { ModelUseList, useModelUse } from '../components/model-use.tsx';
import { modelUseStrings } from '../strings/model-use.ts';
import { SettingsGroup } from './field.tsx';

/** Tokens and time by model, over all tasks. */
export function UseGroup(): ReactNode {
  const use = useModelUse();
  return (
    <SettingsGroup title={modelUseStrings.title}>
      {use !== null && (
        <>
          <h5>{modelUseStrings.recent}</h5>
          <ModelUseList models={use.recent} />
          <h5>{modelUseStrings.all}</h5>
          <ModelUseList models={use.all} />
        </>
      )}
      <p className="muted">{modelUseStrings.hint}</p>
    </SettingsGroup>
  );
}
