import type { Clients } from '../clients.ts';
import { observeAws } from '../errors.ts';
import { stackTag } from '../names.ts';

type Sizes = ReadonlyMap<string, number>;

/** The sizes in GiB of the volumes with files of all Almanac stacks in a region, by id. */
export const listVolumes = (clients: Clients): Promise<Sizes> => readSizes(clients, 'tag-key', [stackTag]);

/** The sizes of some volumes. */
export const sizesOf = (clients: Clients, ids: readonly string[]): Promise<Sizes> =>
  readSizes(clients, 'volume-id', ids);

/** A filter, because EC2 rejects a list with an unknown id. A volume that is being deleted is not returned. */
async function readSizes(clients: Clients, Name: string, values: readonly string[]): Promise<Sizes> {
  const ec2 = await clients.ec2();
  const sizes = new Map<string, number>();
  let token: string | undefined;
  do {
    const page = await observeAws(() =>
      ec2.describeVolumes({
        Filters: [{ Name, Values: [...values] }],
        MaxResults: 500,
        ...(token ? { NextToken: token } : {}),
      }),
    );
    for (const { VolumeId = '', Size = 0, State } of page.Volumes ?? [])
      if (State !== 'deleting' && State !== 'deleted') sizes.set(VolumeId, Size);
    token = page.NextToken;
  } while (token);
  return sizes;
}
