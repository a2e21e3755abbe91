import type { Clock } from '../basics/clock.ts';

interface Keeping {
  /** False: the lease is lost. */
  renew: () => Promise<boolean>;
  everyMs: number;
}

/** Renews a lease until the returned function is called. If it is lost anyway, the fence keeps its work from writing. */
export function keepLease(clock: Clock, { renew, everyMs }: Keeping): () => void {
  let ended = false;
  let cancel = () => {};
  const renewLater = () => {
    if (!ended) cancel = clock.after(everyMs, () => void renewNow());
  };
  const renewNow = async () => {
    const kept = await renew().catch(() => true);
    if (kept) renewLater();
  };
  renewLater();
  return () => {
    ended = true;
    cancel();
  };
}
