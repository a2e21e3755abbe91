import type { listRepositories } from '../../../contract/v3/registry/images.ts';
import type { Context, Run } from '../../command.ts';
import { stripControls } from '../../view/colour.ts';
import { catalogScope, type OpenRegistry, openRegistry, registryFor } from './open-registry.ts';

const pageSize = 500;

/** All images of the account that the caller may pull. */
async function listFromService({ api }: Context): Promise<string[]> {
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: pageSize, ...(cursor === undefined ? {} : { cursor }) };
    const { body, headers } = await api.call<typeof listRepositories>('GET', '/v3/alm/registry', { query });
    names.push(...body.map(({ repository }) => repository));
    cursor = body.length === 0 ? undefined : [headers['x-next-cursor']].flat()[0];
  } while (cursor !== undefined);
  return names;
}

interface Listed {
  names: string[];
  /** Whose images to show; undefined: nobody's in particular. */
  user: string | undefined;
  /** How to show all of them. */
  allFlag: string;
}

async function list(opened: OpenRegistry): Promise<Listed> {
  const { context, server, user, usesService } = opened;
  if (usesService)
    return {
      names: await listFromService(context),
      user: server?.user ? (server.user.namespace ?? server.user.name) : undefined,
      allFlag: '--all',
    };
  const names = await registryFor(opened, catalogScope).list('/v2/_catalog', 'repositories');
  return { names, user: await user.knownName(), allFlag: `--scope ${catalogScope}` };
}

/** Lists the images of the user, as existing clients do; all of them with `--all` or `--scope`, or when no user is known. */
export const showCatalog: Run = async (given) => {
  const { args, out } = given;
  const { names, user, allFlag } = await list(await openRegistry(given));
  const showsAll = args.has('scope') || args.is('all') || user === undefined;
  const shown = showsAll ? names : names.filter((name) => name.startsWith(`${user}/`));
  const suffix = user === undefined ? '' : ` for user: ${user}`;
  if (out.format !== 'table') await out.document(JSON.stringify({ repositories: shown }));
  else if (shown.length > 0) {
    out.info(`Catalog list${suffix}`);
    out.data(shown.map((name) => `${stripControls(name)}\n`).join(''));
  } else out.info(`Catalog list${suffix} is empty.`);
  const hidden = names.length - shown.length;
  if (hidden > 0) out.info(`Images of other users not shown: ${hidden}. To include them: ${allFlag}`);
};
