import type { SuccessOf } from '../../../contract/route.ts';
import type { previewTemplate as previewRoute } from '../../../contract/v3/templates.ts';
import type { Context } from '../../command.ts';
import type { InputFile } from '../../files/input-file.ts';
import { asDocument, withFilePositions } from '../../files/template-file.ts';
import type { Reply } from '../../net/api.ts';
import { Output } from '../../view/output.ts';
import { showCost } from './show-cost.ts';

type Preview = Reply<SuccessOf<typeof previewRoute>>;

/** Asks the service for the changes that a template would make. */
export function fetchPreview(
  { api }: Pick<Context, 'api'>,
  file: InputFile,
  stackId?: string,
): Promise<Preview> {
  const body = asDocument(file);
  const query = stackId === undefined ? {} : { stack_id: stackId };
  return withFilePositions(file, () =>
    api.call<typeof previewRoute>('POST', '/v3/alm/template/preview', { body, query }),
  );
}

/** A table, unless another format is asked for. */
export const previewOutput = ({ args, system, out }: Context): Output =>
  args.has('fmt') || args.has('query')
    ? out
    : new Output(system, { format: 'table', indent: 2, file: undefined });

/** Shows changes, cost and warnings. */
export async function showPreview(out: Output, { text, body: preview }: Preview): Promise<void> {
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
}
