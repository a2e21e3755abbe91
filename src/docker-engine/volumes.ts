import { type Connection, encodePath } from './connection.ts';
import type { Labels } from './container-types.ts';
import { ifFound } from './errors.ts';
import { labelQuery } from './labels.ts';
import type { Volumes } from './types.ts';

interface RawVolumes {
  Volumes: readonly { Name: string; Labels: Labels | null }[] | null;
}

export const volumeCalls = (connection: Connection): Volumes => ({
  create: async ({ name, labels }) => {
    const json = { Name: name, Labels: labels ?? {} };
    await connection.status({ method: 'POST', path: '/volumes/create', json });
  },
  list: async (labels) => {
    const call = { method: 'GET', path: '/volumes', query: labelQuery(labels) } as const;
    const { Volumes: found } = await connection.json<RawVolumes>(call);
    return (found ?? []).map(({ Name, Labels: own }) => ({ name: Name, labels: own ?? {} }));
  },
  remove: async (name) =>
    (await ifFound(connection.status({ method: 'DELETE', path: `/volumes/${encodePath(name)}` }))) !==
    undefined,
});
