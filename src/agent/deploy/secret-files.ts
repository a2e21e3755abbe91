import type { FileToPut } from '../../docker-engine/container-types.ts';
import type { Image } from '../../docker-engine/types.ts';
import { secretsDirectory } from '../../model/secret-name.ts';
import type { Deployment } from '../deployment.ts';

/** The user that the image runs as. Undefined: a name, which only the image itself can resolve. */
function ownerOf({ user }: Pick<Image, 'user'>): { uid: number; gid: number } | undefined {
  if (user === '' || /^root(:|$)/.test(user)) return { uid: 0, gid: 0 };
  const [, uid, gid] = /^(\d{1,10})(?::(\d{1,10}))?$/.exec(user) ?? [];
  return uid === undefined ? undefined : { uid: Number(uid), gid: Number(gid ?? 0) };
}

/**
 * The files of the container's secrets, which only its user may read. With a user of unknown number, every user inside the container
 * may: a file that the application cannot read is of no use.
 */
export function secretFiles({ secretFiles: files }: Deployment, image: Pick<Image, 'user'>): FileToPut[] {
  const owner = ownerOf(image);
  return Object.entries(files).map(([name, content]) => {
    const path = `${secretsDirectory}/${name}`;
    return owner ? { path, content, mode: 0o400, owner } : { path, content, mode: 0o444 };
  });
}
