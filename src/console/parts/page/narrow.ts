import { useSyncExternalStore } from 'react';

/** Whether the screen is at most so wide. Only for sizes that a script must know; layout belongs to CSS. */
export const useNarrow = (width: number): boolean => {
  const query = matchMedia(`(max-width: ${width}px)`);
  return useSyncExternalStore(
    (listener) => {
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => query.matches,
  );
};
