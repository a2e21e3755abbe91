import type { QueryOf } from '../../../contract/route.ts';
import type { updateTemplate } from '../../../contract/v3/templates.ts';
import { usageError } from '../../cli-error.ts';
import type { Context } from '../../command.ts';

/** What a request says about the data that it removes. All routes that can remove data have these parameters. */
export type DataWord = QueryOf<typeof updateTemplate>;

/** `Databaseapp=keep`, as the interface writes it. */
function choiceIn(written: string): string {
  const [, store = '', choice = ''] = /^([^:=]+)=(keep|delete)$/.exec(written) ?? [];
  if (store === '')
    throw usageError(
      `Invalid value for --data: "${written}".`,
      '--data <id or resource>=keep',
      '--data <id or resource>=delete',
    );
  return `${store}:${choice}`;
}

function choiceFrom({ args }: Pick<Context, 'args'>): string | undefined {
  const each = args.list('data').map(choiceIn);
  if (args.is('delete-data') && (args.is('keep-data') || each.length > 0))
    throw usageError('--delete-data cannot be used together with --keep-data or --data.');
  if (each.length > 0) return each.join(',');
  if (args.is('delete-data')) return 'delete';
  return args.is('keep-data') ? 'keep' : undefined;
}

/** What the flags of the command say. */
export function dataWord(context: Pick<Context, 'args'>): DataWord {
  const data = choiceFrom(context);
  return {
    ...(data === undefined ? {} : { data }),
    ...(context.args.is('replace-servers') ? { servers: 'replace' } : {}),
  };
}
