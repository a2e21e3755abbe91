import type { Problem } from '../../../basics/problem.ts';
import { catalog } from '../catalog.ts';
import type { Region } from '../region.ts';
import { readOffer } from './offers/read-offer.ts';

interface KnownRegion {
  name: string;
  isEnabled: boolean;
}

/** Every region of the partition, also those that the account has not enabled. AWS returns them in one page. */
const readRegions = (home: Region) =>
  readOffer(home, 'regions', async () => {
    const ec2 = await home.clients.ec2();
    const { Regions = [] } = await ec2.describeRegions({ AllRegions: true });
    return Regions.map(
      ({ RegionName = '', OptInStatus }): KnownRegion => ({
        name: RegionName,
        isEnabled: OptInStatus !== 'not-opted-in',
      }),
    );
  });

/** Regions that every account has are known. AWS is asked about all others, in the home region: a disabled region rejects every key. */
export async function askForRegion(
  home: Region,
  name: string,
): Promise<{ problems: Problem[]; notes: string[] }> {
  const accepted = { problems: [], notes: [] };
  if (catalog.regions.includes(name)) return accepted;
  const { value: regions, reason } = await readRegions(home);
  if (!regions)
    return { problems: [], notes: [`Region ${name} could not be checked, so AWS may refuse it. ${reason}`] };
  const enabled = regions.filter(({ isEnabled }) => isEnabled).map((region) => region.name);
  if (enabled.includes(name)) return accepted;
  const advice = `Use one of ${enabled.toSorted().join(', ')}.`;
  const message = regions.some((region) => region.name === name)
    ? `Region ${name} is not enabled in the account. Enable it in the AWS console (Account, AWS Regions) or with ` +
      `"aws account enable-region --region-name ${name}", which takes some minutes, and retry. ${advice}`
    : `Unknown AWS region ${name}. ${advice}`;
  return { problems: [{ path: 'region', message }], notes: [] };
}
