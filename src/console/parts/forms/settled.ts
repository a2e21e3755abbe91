import { useEffect, useState } from 'react';
import { after } from '../../clock.ts';

const pause = 400;

/** The value, after it has not changed for a moment. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => after(pause, () => setSettled(value)), [value]);
  return settled;
}
