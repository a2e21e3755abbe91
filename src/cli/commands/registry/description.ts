import type { setDescription as route } from '../../../contract/v3/registry/images.ts';
import type { Run } from '../../command.ts';
import { openOwnImage } from './open-registry.ts';

export const setDescription: Run = async (given) => {
  const { context, name } = await openOwnImage(given);
  const query = { image_id: name, description: context.args.required('text') };
  const path = '/v3/alm/registry/description';
  await context.out.document((await context.api.call<typeof route>('PUT', path, { query })).text);
};
