import type { Volume } from '@aws-sdk/client-ec2';
import type { Reader } from '../../shared/adaptive-read.ts';
import type { Clients } from '../clients.ts';
import { observeAws } from '../errors.ts';

const exists = ({ State }: Volume): boolean => State !== 'deleting' && State !== 'deleted';

/** The sizes in GiB of the volumes of a region by id, also of those outside Almanac. */
export const volumeReader = (clients: Clients): Reader<number> => ({
  one: async (id) => {
    const ec2 = await clients.ec2();
    // A filter, because EC2 rejects an unknown id.
    const request = { Filters: [{ Name: 'volume-id', Values: [id] }] };
    const { Volumes = [] } = await observeAws(() => ec2.describeVolumes(request));
    return Volumes.find(exists)?.Size;
  },
  all: async (maxPages) => {
    const ec2 = await clients.ec2();
    const values = new Map<string, number>();
    let token: string | undefined;
    for (let pages = 1; pages <= maxPages(); pages += 1) {
      const request = { MaxResults: 500, ...(token ? { NextToken: token } : {}) };
      const page = await observeAws(() => ec2.describeVolumes(request));
      for (const volume of (page.Volumes ?? []).filter(exists))
        values.set(volume.VolumeId ?? '', volume.Size ?? 0);
      token = page.NextToken;
      if (!token) return { values, pages };
    }
    return undefined;
  },
});
