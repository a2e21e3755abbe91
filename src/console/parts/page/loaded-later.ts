import { type ComponentType, createElement, type ReactNode, useEffect, useState } from 'react';
import { NotLoaded } from '../../api/failure.ts';
import { after } from '../../clock.ts';

type Loading<P> = () => Promise<{ default: ComponentType<P> }>;

/** Milliseconds before each further attempt. */
const pauses = [500, 2000];

async function load<P>(loading: Loading<P>, attempt = 0): ReturnType<Loading<P>> {
  try {
    return await loading();
  } catch (error) {
    const pause = pauses[attempt];
    if (pause === undefined) throw new NotLoaded(error);
    await new Promise<void>((resolve) => after(pause, resolve));
    return load(loading, attempt + 1);
  }
}

/** Loads the code before the component is shown. */
export interface Preloaded {
  preload: () => Promise<void>;
}

/**
 * A component whose code is loaded when it is shown, and asked for again if it does not arrive. Without `lazy`: React shows the
 * placeholder of that for 0.3 s at least.
 */
export function loadedLater<P extends object>(
  loading: Loading<P>,
  placeholder: ReactNode = null,
): ComponentType<P> & Preloaded {
  let loaded: ComponentType<P> | null = null;
  const preload = async (): Promise<void> => {
    loaded = (await load(loading)).default;
  };
  const LoadedLater = (props: P) => {
    const [Part, setPart] = useState(() => loaded);
    const [problem, setProblem] = useState<NotLoaded | null>(null);
    useEffect(() => {
      if (!Part) preload().then(() => setPart(() => loaded), setProblem);
    }, [Part]);
    if (problem) throw problem;
    return Part ? createElement(Part, props) : placeholder;
  };
  return Object.assign(LoadedLater, { preload });
}
