import type { Environment } from '../system.ts';

/** What other programs get: ours holds secrets that are none of theirs. */
export const childEnvironment = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('ALM_')));
