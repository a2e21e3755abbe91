import type { rollBack as rollBackRoute } from '../../../contract/v3/versions.ts';
import type { Run } from '../../command.ts';
import { dataQuery } from './data-query.ts';
import { printAndWait } from './print-and-wait.ts';

export const rollBack: Run = async (context) => {
  const { api, args } = context;
  const params = { stack_id: args.required('id') };
  const skipped = args.list('skip-resources');
  const body = {
    version_id: args.required('ver'),
    ...(skipped.length > 0 ? { skip_resources: [...skipped] } : {}),
  };
  const path = '/v3/alm/stack/{stack_id}/rollback';
  return printAndWait(
    context,
    await api.call<typeof rollBackRoute>('POST', path, { params, query: dataQuery(context), body }),
  );
};
