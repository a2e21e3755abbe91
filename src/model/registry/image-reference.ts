import { isRepositoryName } from './repository-name.ts';

/** An image as a template names it: without a scheme, and without a user before the host. */
const plain = (image: string): string =>
  image.replace(/^[a-z]+:\/\//i, '').replace(/^[^/@]*@(?=[^/]*\/)/, '');

/**
 * The repository of an image on a registry with this host, such as `registry.example.com:5000`. Null: the image is elsewhere. As container engines
 * read it: a first part with a dot or a colon, or `localhost`, is a host.
 */
export const repositoryOn = (host: string, image: string): string | null => {
  const text = plain(image);
  const slash = text.indexOf('/');
  if (host === '' || slash === -1 || text.slice(0, slash).toLowerCase() !== host.toLowerCase()) return null;
  const name = text
    .slice(slash + 1)
    .replace(/@.*$/s, '')
    .replace(/:[^/:]*$/, '');
  return isRepositoryName(name) ? name : null;
};
