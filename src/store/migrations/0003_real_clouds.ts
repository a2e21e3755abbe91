/** Columns for stacks on real clouds. */
export const realClouds: readonly string[] = [
  `alter table credentials add column role text`,
  `alter table stacks add column hook_heartbeat bigint`,
];
