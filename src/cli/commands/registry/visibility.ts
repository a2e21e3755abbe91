import type { setVisibility as route } from '../../../contract/v3/registry/images.ts';
import type { Run } from '../../command.ts';
import { openOwnImage } from './open-registry.ts';

export const setVisibility: Run = async (given) => {
  const { context, name } = await openOwnImage(given);
  const visibility = context.args.required('visibility') === 'public' ? 'public' : 'private';
  const path = '/v3/alm/registry/visibility';
  const query = { image_id: name, visibility } as const;
  await context.out.document((await context.api.call<typeof route>('PUT', path, { query })).text);
  if (visibility === 'public') context.out.info(`Anybody who reaches the registry may now pull ${name}.`);
};
