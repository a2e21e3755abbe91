import type { previewRollBack, rollBack as rollBackRoute } from '../../../contract/v3/versions.ts';
import type { Run } from '../../command.ts';
import { sendGuarded } from '../data/send-guarded.ts';
import { previewOutput, showPreview } from '../template/show-preview.ts';
import { printAndWait } from './print-and-wait.ts';

export const rollBack: Run = async (context) => {
  const { api, args } = context;
  const params = { stack_id: args.required('id') };
  const skipped = args.list('skip-resources');
  const body = {
    version_id: args.required('ver'),
    ...(skipped.length > 0 ? { skip_resources: [...skipped] } : {}),
  };
  const restore = args.text('restore');
  const restoring = restore === undefined ? {} : { restore };
  if (args.is('preview-only')) {
    const path = '/v3/alm/stack/{stack_id}/rollback/preview';
    const request = { params, query: restoring, body: { version_id: body.version_id } };
    const preview = await api.call<typeof previewRollBack>('POST', path, request);
    return showPreview(previewOutput(context), preview);
  }
  const path = '/v3/alm/stack/{stack_id}/rollback';
  const reply = await sendGuarded(context, (word) =>
    api.call<typeof rollBackRoute>('POST', path, { params, query: { ...word, ...restoring }, body }),
  );
  return printAndWait(context, reply);
};
