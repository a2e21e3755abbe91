import type { replayScope } from '../../../contract/v3/role-rehearsal.ts';
import type { Run } from '../../command.ts';
import { readScopeFile } from '../../files/scope-file.ts';
import { withFilePositions } from '../../files/template-file.ts';
import { tableTime } from '../../view/table.ts';

export const rehearseScope: Run = async (context) => {
  const { api, args, out } = context;
  const username = args.text('user');
  const file = await readScopeFile(context);
  const body = {
    scope: file.text,
    days: args.number('days') ?? 7,
    ...(username === undefined ? {} : { username }),
  };
  const { text, body: replay } = await withFilePositions(
    file,
    () => api.call<typeof replayScope>('POST', '/v3/role/replay', { body }),
    'scope',
  );
  await out.document(text, () => ({
    priority: ['USER', 'ACTION', 'WAS', 'WOULD BE'],
    header: ['ENTRY', 'TIME', 'USER', 'ACTION', 'RESOURCE', 'WAS', 'WOULD BE', 'WHY'],
    rows: replay.changes.map((change) => [
      String(change.number),
      tableTime(change.time),
      change.actor,
      change.action,
      change.resource,
      change.was,
      change.would_be,
      change.why,
    ]),
  }));
  out.info(`${replay.changed} of ${replay.requests} requests would be decided otherwise.`);
};
