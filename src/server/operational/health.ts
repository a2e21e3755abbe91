import { Failure } from '../../basics/failure.ts';
import { healthz, readyz } from '../../contract/operational.ts';
import { type Binding, bindFor } from '../http/binding.ts';

/** Resolves to `null` if requests can be served, otherwise to the reason. */
export type Readiness = () => Promise<string | null>;

export interface HealthOptions {
  version: string;
  readiness: Readiness;
  isStopping: () => boolean;
}

const notReady = (reason: string, cause?: unknown) =>
  new Failure('unavailable', reason, { retryAfter: 5, cause });

const reasonNotReady = async (readiness: Readiness): Promise<string | null> => {
  try {
    return await readiness();
  } catch (error) {
    throw notReady('The readiness check failed', error);
  }
};

export const healthBindings = <A>({ version, readiness, isStopping }: HealthOptions): Binding<A>[] => {
  const bind = bindFor<A>();
  return [
    bind(healthz, () => ({ status: 'ok', version })),
    bind(readyz, async () => {
      if (isStopping()) throw notReady('The server is stopping');
      const reason = await reasonNotReady(readiness);
      if (reason !== null) throw notReady(reason);
      return { status: 'ready' };
    }),
  ];
};
