import { useSyncExternalStore } from 'react';
import { Loading } from '../parts/messages/empty.tsx';
import { loadedLater } from '../parts/page/loaded-later.ts';

const wide = matchMedia('(min-width: 1100px)');
const listen = (listener: () => void): (() => void) => {
  wide.addEventListener('change', listener);
  return () => wide.removeEventListener('change', listener);
};

/** Whether there is room for two texts beside each other. */
export const useIsWide = (): boolean => useSyncExternalStore(listen, () => wide.matches);

/** The difference of two texts; its code is loaded when it is shown. */
export const TextDifference = loadedLater(() => import('./difference.tsx'), {
  placeholder: <Loading what="the difference" />,
});
