/** What one user or one stack may take of a server. 0: no limit. Quotas limit accounts. */
export interface ServiceLimits {
  /** Open event streams on one server. */
  streamsPerUser: number;
  /** Containers, and agents, whose last reports are kept. */
  containersPerStack: number;
  /** Events that the reports of a stack's agents may add in a minute. */
  agentEventsPerMinute: number;
  /** Events of agents that are kept of a stack; older ones become one summary. */
  agentEventsKept: number;
}

/** Settings with their defaults and meanings, as in `config.ts`. */
export const limitSettings = {
  ALM_STREAMS_PER_USER: ['100', 'open event streams of a user or API client on one server; 0: no limit'],
  ALM_CONTAINERS_PER_STACK: [
    '2000',
    'containers, and agents, of a stack whose last report is kept; 0: no limit',
  ],
  ALM_AGENT_EVENTS_PER_MINUTE: ['600', 'events per minute from the agents of a stack; 0: no limit'],
  ALM_AGENT_EVENTS_KEPT: [
    '10000',
    'events kept from the agents of a stack; older ones become one summary; 0: no limit',
  ],
} as const;

type LimitSetting = keyof typeof limitSettings;

export const readLimits = (numberOf: (name: LimitSetting) => number): ServiceLimits => ({
  streamsPerUser: numberOf('ALM_STREAMS_PER_USER'),
  containersPerStack: numberOf('ALM_CONTAINERS_PER_STACK'),
  agentEventsPerMinute: numberOf('ALM_AGENT_EVENTS_PER_MINUTE'),
  agentEventsKept: numberOf('ALM_AGENT_EVENTS_KEPT'),
});

export const defaultLimits = readLimits((name) => Number(limitSettings[name][0]));
