import type { ReactNode } from 'react';
import { settingsStrings } from '../strings/settings.ts';
import { ChoiceSetting, useSettings } from './field.tsx';

export function AppearanceSection(): ReactNode {
  const { appearance } = useSettings();
  return (
    <ChoiceSetting
      label={settingsStrings.appearance.theme}
      value={appearance}
      choices={settingsStrings.appearance.themes}
      toChanges={(value) => ({ appearance: value })}
    />
  );
}
