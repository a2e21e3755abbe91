/** How often a stack had joined: each one that did waited for the others. A lock that they share tells it now. */
export const joinedSweeps: readonly string[] = [`alter table sweeps drop column requests`];
