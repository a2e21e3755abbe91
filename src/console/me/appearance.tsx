import { Select, Tick } from '../parts/forms/field.tsx';
import { Card, Stack } from '../parts/page/card.tsx';
import { setPreferences, type Theme, usePreferences } from '../preferences.ts';

const themes = [
  { value: 'system', label: 'As the system' },
  { value: 'dark', label: 'Dark' },
  { value: 'light', label: 'Light' },
];

/** Kept in this browser. */
export const Appearance = () => {
  const { theme, letterKeys } = usePreferences();
  return (
    <Card title="In this browser">
      <Stack>
        <Select
          label="Theme"
          value={theme}
          options={themes}
          onChange={(event) => setPreferences({ theme: event.target.value as Theme })}
        />
        <Tick
          label="Single letters are shortcuts"
          hint="Press ? for the list. Ctrl K always works."
          checked={letterKeys}
          onChange={(event) => setPreferences({ letterKeys: event.target.checked })}
        />
      </Stack>
    </Card>
  );
};
