import { type Outcome, reject, succeed } from '../../../basics/problem.ts';
import { catalog } from '../catalog.ts';
import type { Image } from './cloud-facts.ts';
import type { Offer } from './offer.ts';

/** Ubuntu with long-term support: April releases of even years. */
const longTermUbuntu = /^ubuntu.*?(?<!\d)\d[02468]\.04/i;
const debian = /^debian/i;

const isDefault = ({ name, distribution, release }: Image): boolean => {
  const described = distribution === '' ? name : `${distribution} ${release}`;
  return [name, described].some((text) => longTermUbuntu.test(text) || debian.test(text));
};

const newestFirst = (one: Image, other: Image): number =>
  other.createdAt - one.createdAt || (one.name < other.name ? -1 : 1);

type Offered = Pick<Offer, 'images' | 'keptImages'>;

interface ImageWish {
  /** Name or id; null: the document leaves it open. */
  asked: string | null;
  /** Where the document names it. */
  path: string;
  /** The id that the version before chose for the same wish. */
  before: string | undefined;
  /** What its user can do if that one is gone. */
  remedy: string;
}

/** The image of servers. An image that was chosen stays: another one would make new servers of running ones. */
export function chooseImage(wish: ImageWish, { images, keptImages }: Offered): Outcome<Image> {
  const { asked, path, before } = wish;
  if (before !== undefined) {
    const kept = [...images, ...keptImages].find(({ id }) => id === before);
    return kept ? succeed(kept) : reject([{ path, message: goneMessage(before, wish) }]);
  }
  const [found] =
    asked === null
      ? images.filter((image) => image.isPublic && isDefault(image)).toSorted(newestFirst)
      : images.filter(({ id, name }) => id === asked || name === asked).toSorted(newestFirst);
  if (found) return succeed(found);
  const message =
    asked === null
      ? 'The cloud has no public image of Ubuntu LTS or Debian. Name an image.'
      : `There is no image ${asked}. Use one of ${namesOf(images)}.`;
  return reject([{ path, message }]);
}

const goneMessage = (id: string, { remedy }: ImageWish): string =>
  `Image ${id}, from which the servers were made, was deleted from the cloud, and Heat accepts no update that names it. ${remedy}`;

const maxListed = 30;
const namesOf = (images: readonly Image[]): string =>
  images
    .map(({ name }) => name)
    .toSorted()
    .slice(0, maxListed)
    .join(', ');

/** Distributions whose images make a user of another name than that of the distribution. */
const otherUsers: Readonly<Record<string, string>> = { centos: 'cloud-user', rhel: 'cloud-user' };
const distributions = /ubuntu|debian|fedora|centos|rhel|rocky|almalinux|opensuse|arch|cirros/;

/** What the image says itself, else the custom of its distribution. */
export function sshUserOf({ adminUser, distribution, name }: Image): string {
  if (/^[a-z_][\w.-]{0,31}$/.test(adminUser)) return adminUser;
  const known = distributions.exec(`${distribution} ${name}`.toLowerCase())?.[0];
  return known === undefined ? catalog.sshUser : (otherUsers[known] ?? known);
}
