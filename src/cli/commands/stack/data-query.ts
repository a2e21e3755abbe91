import type { QueryOf } from '../../../contract/route.ts';
import type { updateTemplate } from '../../../contract/v3/templates.ts';
import { usageError } from '../../cli-error.ts';
import type { Context } from '../../command.ts';

/** What the caller allows to happen to data that an update removes. */
export function dataQuery({ args }: Pick<Context, 'args'>): QueryOf<typeof updateTemplate> {
  if (args.is('keep-data') && args.is('delete-data'))
    throw usageError('--keep-data and --delete-data cannot be used together.');
  if (args.is('delete-data')) return { data: 'delete' };
  return args.is('keep-data') ? { data: 'keep' } : {};
}
