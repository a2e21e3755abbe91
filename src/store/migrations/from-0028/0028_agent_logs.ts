/** Whether the agent sends logs on request. Agents that do say so in their reports. */
export const agentLogs: readonly string[] = [
  `alter table agents add column sends_logs integer not null default 0`,
];
