import type { compareTemplates as compareRoute } from '../../../contract/v3/versions.ts';
import { usageError } from '../../cli-error.ts';
import type { Context, Run } from '../../command.ts';
import { readInputFile } from '../../files/input-file.ts';
import { asDocument, withFilePositions } from '../../files/template-file.ts';

type Source = Record<string, { version: string }>;

const compare = ({ api }: Context, id: Source[], body?: string[]) =>
  api.call<typeof compareRoute>('POST', '/v3/alm/template/compare', {
    body: { id, ...(body ? { body } : {}) },
  });

async function compareWithFile(context: Context, source: Source) {
  const file = await readInputFile(context, 'tgt-body');
  const body = [asDocument(file).text];
  return withFilePositions(file, () => compare(context, [source], body), 'body/0');
}

function compareWithVersion(context: Context, source: Source, sourceStack: string) {
  const { args } = context;
  const version = args.text('tgt-vid');
  if (!version) throw usageError('--tgt-vid or --tgt-body is required.', 'Example: --tgt-vid latest');
  return compare(context, [source, { [args.text('tgt-sid') ?? sourceStack]: { version } }]);
}

export const compareTemplates: Run = async (context) => {
  const { args, out } = context;
  const sourceStack = args.required('src-sid');
  const source = { [sourceStack]: { version: args.required('src-vid') } };
  const reply = args.has('tgt-body')
    ? await compareWithFile(context, source)
    : await compareWithVersion(context, source, sourceStack);
  if (args.is('show-all')) return out.document(reply.text);
  const { diff } = reply.body;
  const isSame = [diff.new, diff.removed, diff.edited].every((part) => Object.keys(part).length === 0);
  out.info(isSame ? 'no diff found' : 'diff:');
  await out.document(JSON.stringify(diff));
};
