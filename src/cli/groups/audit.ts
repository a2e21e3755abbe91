import { number, tableFormats, text } from '../args/flag.ts';
import type { Group } from '../command.ts';

const filters = [
  text('actor', 'user name, client ID or stack ID', { value: 'name' }),
  text('action', 'action, such as stack:deleteStack', { value: 'action' }),
  text('resource', 'resource, such as mrn:alm:stack:<id>', { value: 'resource' }),
  text('decision', 'access decision', { value: 'decision', choices: ['allowed', 'denied'] }),
  text('from', 'start time, inclusive, ISO 8601', { value: 'time' }),
  text('to', 'end time, exclusive, ISO 8601', { value: 'time' }),
];

export const auditGroup: Group = {
  name: 'audit',
  about: 'Read the audit log',
  commands: [
    {
      path: 'audit list',
      about: 'List audit log entries, newest first',
      flags: [
        ...filters,
        number('limit', 'maximum number of entries', { default: 100, min: 1, max: 100_000 }),
      ],
      only: 'v3',
      formats: tableFormats,
      examples: ['alm audit list --actor ann --decision denied'],
      load: async () => (await import('../commands/audit/list.ts')).listAudit,
    },
    {
      path: 'audit export',
      about: 'Export audit log entries as JSON lines, oldest first',
      flags: filters,
      only: 'v3',
      formats: ['raw'],
      examples: ['alm audit export --out audit.ndjson'],
      load: async () => (await import('../commands/audit/export.ts')).exportAudit,
    },
    {
      path: 'audit check',
      about: 'Check that no audit log entry was changed, removed or moved',
      more: 'The exit code is 3 if one was.',
      flags: [],
      only: 'v3',
      formats: tableFormats,
      examples: ['alm audit check'],
      load: async () => (await import('../commands/audit/check.ts')).checkAudit,
    },
  ],
};
