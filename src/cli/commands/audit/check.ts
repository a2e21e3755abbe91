import type { checkAudit as checkRoute } from '../../../contract/v3/audit.ts';
import { CliError } from '../../cli-error.ts';
import type { Run } from '../../command.ts';

export const checkAudit: Run = async ({ api, out }) => {
  const { text, body } = await api.call<typeof checkRoute>('GET', '/v3/audit/check', {});
  await out.document(text, () => ({
    header: ['INTACT', 'ENTRIES', 'LAST HASH'],
    rows: [[body.is_intact ? 'yes' : 'no', String(body.entries), body.last_hash ?? '-']],
  }));
  if (!body.is_intact)
    throw new CliError('operationFailed', body.problem ?? 'The log is not what was recorded.', {
      hints: ['Compare the log with an export or a backup from before.'],
    });
};
