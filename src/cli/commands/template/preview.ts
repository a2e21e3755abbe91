import type { previewTemplate as previewRoute } from '../../../contract/v3/templates.ts';
import type { Run } from '../../command.ts';
import { readInputFile } from '../../files/input-file.ts';
import { asDocument, withFilePositions } from '../../files/template-file.ts';
import { showCost } from './show-cost.ts';

export const previewTemplate: Run = async (context) => {
  const { api, args, out } = context;
  const file = await readInputFile(context, 'alm-template');
  const body = asDocument(file);
  const stackId = args.text('id');
  const query = stackId === undefined ? {} : { stack_id: stackId };
  const { text, body: preview } = await withFilePositions(file, () =>
    api.call<typeof previewRoute>('POST', '/v3/alm/template/preview', { body, query }),
  );
  const changes = preview.changes.map((change) => [
    change.action,
    change.resource,
    change.resource_type,
    change.members.join(', '),
    change.warning,
  ]);
  await out.document(text, () => ({
    header: ['ACTION', 'RESOURCE', 'TYPE', 'MEMBERS', 'WARNING'],
    rows: changes,
  }));
  await showCost(out, preview.cost);
  for (const warning of preview.warnings) out.warn(warning);
  if (changes.length === 0) out.info('No changes.');
};
