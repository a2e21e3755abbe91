import type { explainAccess as explainRoute } from '../../../contract/v3/role-rehearsal.ts';
import { usageError } from '../../cli-error.ts';
import type { Run } from '../../command.ts';
import { readScopeFile } from '../../files/scope-file.ts';
import { withFilePositions } from '../../files/template-file.ts';

export const explainAccess: Run = async (context) => {
  const { api, args, out } = context;
  const username = args.text('user');
  const file = args.text('scope') === undefined ? null : await readScopeFile(context);
  if (username === undefined && !file)
    throw usageError(
      '--user <name> or --scope <file> is required.',
      'Your own rights: alm whoami --permissions',
    );
  const stackId = args.text('id');
  const body = {
    action: args.required('action'),
    ...(username === undefined ? {} : { username }),
    ...(stackId === undefined ? {} : { resource: `mrn:alm:stack:${stackId}` }),
  };
  const ask = (scope: object) =>
    api.call<typeof explainRoute>('POST', '/v3/role/explain', { body: { ...body, ...scope } });
  const { text, body: verdict } = await (file
    ? withFilePositions(file, () => ask({ scope: file.text }), 'scope')
    : ask({}));
  await out.document(text, () => ({
    header: ['DECISION', 'ROLE ID', 'STATEMENT', 'WHY'],
    rows: [[verdict.decision, verdict.role_id, String(verdict.statement ?? ''), verdict.why]],
  }));
};
