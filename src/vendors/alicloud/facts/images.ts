import type { Architecture } from '../choices.ts';
import type { Image } from '../choose/cloud-facts.ts';
import type { Clients } from '../clients.ts';
import { ifThere, observing } from '../errors.ts';

interface ImageRow {
  ImageId?: string;
  Architecture?: string;
}

const imageOf = ({ ImageId: id = '', Architecture: architecture }: ImageRow): Image => ({
  id,
  architecture: architecture === 'arm64' ? 'arm64' : 'x86_64',
});

const families: Readonly<Record<Architecture, { family: string; id: RegExp }>> = {
  x86_64: { family: 'acs:alibaba_cloud_linux_3_2104_lts_x64', id: /^aliyun_3_x64_20G_alibase_/ },
  arm64: { family: 'acs:alibaba_cloud_linux_3_2104_lts_arm64', id: /^aliyun_3_arm64_20G_alibase_/ },
};

const listImages = async (clients: Clients, query: object): Promise<readonly ImageRow[]> => {
  const { Images: { Image: rows = [] } = {} } = await observing(() =>
    clients.call<{ Images?: { Image?: readonly ImageRow[] } }>({
      service: 'ecs',
      action: 'DescribeImages',
      query: { ...query, PageSize: 100 },
    }),
  );
  return rows;
};

/** The newest of the family; else the newest by its name, which ends with a date. */
export async function readSystemImage(
  clients: Clients,
  architecture: Architecture,
): Promise<Image | undefined> {
  const { family, id } = families[architecture];
  const answer = await observing(() =>
    ifThere(() =>
      clients.call<{ Image?: ImageRow }>({
        service: 'ecs',
        action: 'DescribeImageFromFamily',
        query: { ImageFamily: family },
      }),
    ),
  );
  if (answer?.Image?.ImageId) return imageOf(answer.Image);
  const rows = await listImages(clients, {
    ImageOwnerAlias: 'system',
    OSType: 'linux',
    Architecture: architecture,
  });
  return rows
    .map(imageOf)
    .filter((image) => id.test(image.id))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .at(-1);
}

export const readImages = async (clients: Clients, ids: readonly string[]): Promise<Image[]> =>
  (await listImages(clients, { ImageId: ids.join(',') })).map(imageOf);
