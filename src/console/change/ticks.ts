import { useState } from 'react';

export interface Ticks {
  ticked: ReadonlySet<string>;
  toggle: (tick: string) => void;
}

/** What the user has confirmed, line by line. */
export function useTicks(): Ticks {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const toggle = (tick: string): void =>
    setTicked((old) => new Set(old.has(tick) ? [...old].filter((each) => each !== tick) : [...old, tick]));
  return { ticked, toggle };
}
