import type { ReconcileTools } from '../../src/reconcile/tools.ts';
import { refused } from '../../src/vendors/vendor.ts';

/** A point next to an externally visible act of a worker: the crash happens just before or just after the act takes effect. */
export interface CrashPoint {
  /** Number of the act, from 1. */
  act: number;
  moment: 'before' | 'after';
}

export class Crash extends Error {}

/** Tools of a worker that dies at the crash point: from then on every act throws and has no effect. */
export function dyingTools(
  tools: ReconcileTools,
  crash: CrashPoint | null,
): { tools: ReconcileTools; acts: string[] } {
  const acts: string[] = [];
  let dead = false;
  const act = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    if (dead) throw new Crash(`already dead at ${name}`);
    acts.push(name);
    const here = crash?.act === acts.length;
    if (here && crash.moment === 'before') dead = true;
    if (dead) throw new Crash(`before ${name}`);
    const result = await work();
    if (here) dead = true;
    if (dead) throw new Crash(`after ${name}`);
    return result;
  };
  const { database } = tools;
  return {
    acts,
    tools: {
      clock: tools.clock,
      limitCalls: (account, work) => tools.limitCalls(account, work),
      secretsOf: (stack) => tools.secretsOf(stack),
      dataVendorOf: (stack) => tools.dataVendorOf(stack),
      beforeComplete: (stack, driver) => tools.beforeComplete(stack, driver),
      goBack: (stack, failed) => act('go back', () => tools.goBack(stack, failed)),
      database: {
        ...database,
        transaction: (work) => act('record', () => database.transaction(work)),
        notify: (channel, payload) => act('notify', () => database.notify(channel, payload)),
      },
      connect: async (stack) => {
        const driver = await act('connect', () => tools.connect(stack));
        return {
          observe: (onVendor) => act('observe', () => driver.observe(onVendor)),
          apply: (...args) => act('apply', () => driver.apply(...args)),
          remove: (...args) => act('remove', () => driver.remove(...args)),
          cancelUpdate: (...args) => act('cancel', () => driver.cancelUpdate(...args)),
          listKept: (...args) => act('list kept', async () => driver.listKept?.(...args) ?? []),
          replaceInstance: (onVendor, id) =>
            act('replace', async () => driver.replaceInstance?.(onVendor, id) ?? refused('not supported')),
          ...(driver.readApps
            ? { readApps: (...args) => act('read apps', async () => driver.readApps?.(...args) ?? []) }
            : {}),
          ...(driver.reportUp
            ? { reportUp: (...args) => act('report up', async () => driver.reportUp?.(...args) ?? true) }
            : {}),
        };
      },
    },
  };
}
