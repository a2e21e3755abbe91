/** How a simulated application fails: it never starts, exits, stays unhealthy, dies after it served, or nobody hears of it. */
export const appFaults = ['crash', 'missing_image', 'refused_pull', 'unhealthy', 'dies', 'silent'] as const;
export type AppFault = (typeof appFaults)[number];
