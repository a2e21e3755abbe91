/** How long history is kept, in days. 0: for ever. */
export interface RetentionConfig {
  eventsDays: number;
  auditDays: number;
}

export const retentionSettings = {
  ALM_KEEP_EVENTS_DAYS: [
    '0',
    'days that events of stacks are kept; what shows the present state stays longer; 0: for ever',
  ],
  ALM_KEEP_AUDIT_DAYS: ['0', 'days that entries of the audit log are kept; 0: for ever'],
} as const;

export const readRetention = (daysOf: (name: keyof typeof retentionSettings) => number): RetentionConfig => ({
  eventsDays: daysOf('ALM_KEEP_EVENTS_DAYS'),
  auditDays: daysOf('ALM_KEEP_AUDIT_DAYS'),
});
