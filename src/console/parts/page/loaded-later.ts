import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
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

/** A component whose code is loaded when it is shown, and asked for again if it does not arrive. */
export const loadedLater = <P>(loading: Loading<P>): LazyExoticComponent<ComponentType<P>> =>
  lazy(() => load(loading));
