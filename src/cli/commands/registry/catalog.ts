import type { Run } from '../../command.ts';
import { stripControls } from '../../view/colour.ts';
import { catalogScope, openRegistry, registryFor } from './open-registry.ts';

/** Lists the images of the user, as existing clients do; all of them with `--scope`, or when no user is known. */
export const showCatalog: Run = async (given) => {
  const opened = await openRegistry(given);
  const { args, out } = opened.context;
  const all = await registryFor(opened, catalogScope).list('/v2/_catalog', 'repositories');
  const user = await opened.user.knownName();
  const showsAll = args.has('scope') || user === undefined;
  const shown = showsAll ? all : all.filter((name) => name.startsWith(`${user}/`));
  const suffix = user === undefined ? '' : ` for user: ${user}`;
  if (out.format !== 'table') await out.document(JSON.stringify({ repositories: shown }));
  else if (shown.length > 0) {
    out.info(`Catalog list${suffix}`);
    out.data(shown.map((name) => `${stripControls(name)}\n`).join(''));
  } else out.info(`Catalog list${suffix} is empty.`);
  const hidden = all.length - shown.length;
  if (hidden > 0)
    out.info(`Images of other users not shown: ${hidden}. To include them: --scope ${catalogScope}`);
};
