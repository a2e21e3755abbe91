import type { previewImages, refreshImages as refreshRoute } from '../../../contract/v3/cloud/images.ts';
import type { Run } from '../../command.ts';
import { sendGuarded } from '../data/send-guarded.ts';
import { printAndWait } from './print-and-wait.ts';

const path = '/v3/alm/stack/{stack_id}/images';

const effects = {
  none: 'already the newest',
  rolling: 'its instances are replaced one after the other',
  replace: 'ALL ITS SERVERS ARE REPLACED',
} as const;

export const refreshImages: Run = async (context) => {
  const { api, args, out } = context;
  const params = { stack_id: args.required('id') };
  const { text, body: preview } = await api.call<typeof previewImages>('GET', path, { params });
  for (const { flag, image, newest, effect } of preview.images)
    out.info(`${flag}: ${effect === 'none' ? image : `${image} -> ${newest}`}: ${effects[effect]}`);
  for (const change of preview.changes)
    if (change.action === 'replace')
      out.info(`${change.resource_type} ${change.resource} would be replaced.`);
  for (const warning of preview.warnings) out.warn(warning);
  if (args.is('preview')) return out.document(text);
  if (preview.images.every(({ effect }) => effect === 'none')) {
    out.info('There are no newer images; nothing was changed.');
    return;
  }
  const reply = await sendGuarded(context, (query) =>
    api.call<typeof refreshRoute>('POST', path, { params, query }),
  );
  return printAndWait(context, reply);
};
