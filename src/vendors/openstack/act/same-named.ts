import { observing } from '../errors.ts';
import { serverType, volumeType } from '../layout/stores.ts';
import { database, databaseName, redisPrimary, serverName } from '../names.ts';
import type { HeatStack } from '../observe/list-stacks.ts';
import type { HeatResource } from '../observe/resources.ts';
import type { Region } from '../region.ts';
import { readDataVolumes } from './data/volumes.ts';

async function readServerIds({ client }: Region, name: string): Promise<string[]> {
  const path = `/servers?name=${encodeURIComponent(`^${name}$`)}`;
  type Answer = { servers?: readonly { id: string; name: string }[] };
  const { servers = [] } = await observing(() => client.read<Answer>({ service: 'compute', path }));
  return servers.filter((server) => server.name === name).map(({ id }) => id);
}

/** The ids of all databases, servers or volumes with the name that Almanac gives to what a resource with data makes. Names are not unique. */
export async function readSameNamed(
  region: Region,
  { stackId }: HeatStack,
  { type, name }: HeatResource,
): Promise<string[]> {
  if (type === serverType)
    return readServerIds(region, `${serverName(stackId, name.slice(redisPrimary('').length))}-0`);
  if (type === volumeType)
    return (await readDataVolumes(region, stackId))
      .filter(({ resource, release }) => resource === name && release === '')
      .map(({ id }) => id);
  if (type !== 'OS::Trove::Instance') return [];
  const wanted = databaseName(stackId, name.slice(database('').length));
  const { value } = await region.databases.get(0);
  return value.filter((each) => each.name === wanted).map((each) => each.database.id);
}
