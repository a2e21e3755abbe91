import { once } from 'node:events';
import type { exportAudit as exportRoute } from '../../../contract/v3/audit.ts';
import { CliError } from '../../cli-error.ts';
import type { Run } from '../../command.ts';
import { chunksOf } from '../../net/http.ts';
import { filtersFrom } from './filters.ts';

const incompleteExport = (error: unknown): CliError =>
  new CliError('noAnswer', 'Connection lost before the export was complete.', {
    hints: ['The output is incomplete. Run the command again.'],
    cause: error,
  });

/** Streams the export, which may not fit into memory. */
export const exportAudit: Run = async (context) => {
  const { api, out, system, settings } = context;
  const input = { query: filtersFrom(context) };
  const response = await api.stream<typeof exportRoute>('GET', '/v3/audit/export', input);
  try {
    // Creates the file even when there are no entries.
    out.data('');
    for await (const chunk of chunksOf<Buffer>(system.clock, response, settings.timeout)) {
      out.data(chunk);
      if (system.stdout.writableNeedDrain) await once(system.stdout, 'drain');
    }
  } catch (error) {
    throw error instanceof CliError && error.exitReason !== 'noAnswer' ? error : incompleteExport(error);
  } finally {
    response.destroy();
  }
};
