import type { Environment } from '../system.ts';

/** Environment for child processes, without our own variables: they contain secrets. */
export const childEnvironment = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('ALM_')));
