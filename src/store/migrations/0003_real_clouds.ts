/** What stacks on real clouds need to be remembered of them. */
export const realClouds: readonly string[] = [
  `alter table credentials add column role text`,
  `alter table stacks add column hook_heartbeat bigint`,
];
