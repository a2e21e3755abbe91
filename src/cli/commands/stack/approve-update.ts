import type { Context } from '../../command.ts';
import type { InputFile } from '../../files/input-file.ts';
import { canAsk, requireYes } from '../../prompt/confirm.ts';
import { Output } from '../../view/output.ts';
import { fetchPreview, previewOutput, showPreview } from '../template/show-preview.ts';

/**
 * Shows the planned changes and asks, on a terminal; `--auto-approve` skips both. False: nothing is to be applied, because of
 * `--preview-only`. Off a terminal nothing is asked.
 */
export async function isApproved(context: Context, file: InputFile): Promise<boolean> {
  const { args, system } = context;
  const isOnly = args.is('preview-only');
  const isAsked = !args.is('auto-approve') && canAsk(system);
  if (!isOnly && !isAsked) return true;
  const preview = await fetchPreview(context, file, args.text('id'));
  const table = new Output(system, { format: 'table', indent: 2, file: undefined });
  if (isOnly) {
    await showPreview(previewOutput(context), preview);
    return false;
  }
  // The table is a message here: the data of the command is the response.
  await showPreview(table.onErrors(), preview);
  if (preview.body.changes.length > 0) await requireYes(system, 'Apply these changes?', '--auto-approve');
  return true;
}
