import type { ReactNode } from 'react';
import { ChoiceSetting, useSettings } from './field.tsx';
import { settingsStrings } from './strings.ts';

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
