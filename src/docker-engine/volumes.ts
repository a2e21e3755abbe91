import { type Connection, encodePath } from './connection.ts';
import type { Labels } from './container-types.ts';
import { listedFrom, type RawListed } from './container-view.ts';
import { ifFound } from './errors.ts';
import { labelQuery } from './labels.ts';
import type { Volume, Volumes } from './types.ts';

interface RawVolume {
  Name: string;
  Labels: Labels | null;
}

interface RawVolumes {
  Volumes: readonly RawVolume[] | null;
}

const volumeFrom = ({ Name, Labels: own }: RawVolume): Volume => ({ name: Name, labels: own ?? {} });

export const volumeCalls = (connection: Connection): Volumes => ({
  create: async ({ name, labels }) => {
    const json = { Name: name, Labels: labels ?? {} };
    return volumeFrom(await connection.json<RawVolume>({ method: 'POST', path: '/volumes/create', json }));
  },
  list: async (labels) => {
    const call = { method: 'GET', path: '/volumes', query: labelQuery(labels) } as const;
    const { Volumes: found } = await connection.json<RawVolumes>(call);
    return (found ?? []).map(volumeFrom);
  },
  usersOf: async (name) => {
    const query = { all: 'true', filters: JSON.stringify({ volume: [name] }) };
    const found = await connection.json<RawListed[]>({ method: 'GET', path: '/containers/json', query });
    return found.map((raw) => listedFrom(raw).name);
  },
  remove: async (name) =>
    (await ifFound(connection.status({ method: 'DELETE', path: `/volumes/${encodePath(name)}` }))) !==
    undefined,
});
