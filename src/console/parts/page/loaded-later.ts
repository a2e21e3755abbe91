import { type ComponentType, createElement, type ReactNode, useEffect, useState } from 'react';
import { NotLoaded } from '../../api/failure.ts';
import { after } from '../../clock.ts';
import { ErrorCard } from '../messages/error-card.tsx';

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

interface Later {
  /** Shown until the code is there. */
  placeholder?: ReactNode;
  /** Whether a failure is for the boundary around it, such as that of overlays, instead of being shown in its place. */
  throws?: boolean;
}

/**
 * A component whose code is loaded when it is shown, and asked for again if it does not arrive. Without `lazy`: React shows the
 * placeholder of that for 0.3 s at least.
 */
export function loadedLater<P extends object>(
  loading: Loading<P>,
  { placeholder = null, throws = false }: Later = {},
): ComponentType<P> & Preloaded {
  let loaded: ComponentType<P> | null = null;
  let pending: Promise<void> | null = null;
  const start = async (): Promise<void> => {
    try {
      loaded = (await load(loading)).default;
    } finally {
      pending = null;
    }
  };
  const preload = (): Promise<void> => (pending ??= start());
  const LoadedLater = (props: P) => {
    const [Part, setPart] = useState(() => loaded);
    const [problem, setProblem] = useState<NotLoaded | null>(null);
    useEffect(() => {
      if (!Part && !problem) preload().then(() => setPart(() => loaded), setProblem);
    }, [Part, problem]);
    if (problem && throws) throw problem;
    // In its place: what was typed beside it must stay.
    if (problem) return createElement(ErrorCard, { error: problem, onRetry: () => setProblem(null) });
    return Part ? createElement(Part, props) : placeholder;
  };
  return Object.assign(LoadedLater, { preload });
}
