import type { ReactNode } from 'react';
import { FONT_SIZE } from '#contract/limits.ts';
import { LANGUAGES } from '../language.ts';
import { settingsStrings } from '../strings/settings.ts';
import { ChoiceSetting, Field, useSaving, useSettings } from './field.tsx';

const words = settingsStrings.appearance;

const SIZES = Array.from(
  { length: FONT_SIZE.max - FONT_SIZE.min + 1 },
  (_, step) => FONT_SIZE.min + step,
);

/** By the names that their speakers know them by, whatever the language of the window. */
const CHOICES = { system: words.systemLanguage, ...LANGUAGES };

/** Language, theme, text size and density: applied at once, in every open window. */
export function AppearanceSection(): ReactNode {
  const { appearance, density, language } = useSettings();
  return (
    <>
      <ChoiceSetting
        label={words.language}
        value={language}
        choices={CHOICES}
        toChanges={(value) => ({ language: value })}
      />
      <p className="field-note">{words.languageHint}</p>
      <ChoiceSetting
        label={words.theme}
        value={appearance}
        choices={words.themes}
        toChanges={(value) => ({ appearance: value })}
      />
      <TextSize />
      <ChoiceSetting
        label={words.density}
        value={density}
        choices={words.densities}
        toChanges={(value) => ({ density: value })}
      />
    </>
  );
}

function TextSize(): ReactNode {
  const { fontSize } = useSettings();
  const { problem, saved, save } = useSaving();
  return (
    <Field
      label={words.fontSize}
      hint={words.fontSizeHint}
      problem={problem}
      saved={saved}
      settings={['fontSize']}
    >
      {({ id, describedBy }) => (
        <select
          id={id}
          className="text-input"
          aria-describedby={describedBy}
          value={fontSize}
          onChange={(event) => void save({ fontSize: Number(event.target.value) })}
        >
          {SIZES.map((size) => (
            <option key={size} value={size}>
              {words.pixels(size, size === FONT_SIZE.usual)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
