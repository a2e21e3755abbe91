import { oneServer } from '../../../world.ts';
import type { Browsing } from '../harness.ts';

interface Parts {
  database?: boolean;
  cache?: boolean;
  instanceType?: string;
}

/** A fixed server, whose disk is a store too; with a database or a cache. */
export const template = ({ database = false, cache = false, instanceType = 't2.micro' }: Parts = {}) => {
  const document = oneServer();
  const [web] = document.configurations;
  const provision = {
    ...web?.provision,
    instance_type: instanceType,
    ...(database ? { rds: { engine: 'mysql', db_instance_type: 'db.t3.small', storage: 20 } } : {}),
    ...(cache ? { elasticache: { engine: 'redis', node_type: 'cache.t3.micro', nodes: 1 } } : {}),
  };
  return { ...document, configurations: [{ ...web, provision }] };
};

export async function made({ almanac }: Browsing, parts: Parts): Promise<string> {
  const id = await almanac.applyTemplate({ ...template(parts), label: 'first' });
  await almanac.waitFor(id, 'CREATE_COMPLETE', 60);
  return id;
}

/** Updates the stack over the interface, and waits for it. */
export async function changed({ almanac }: Browsing, id: string, parts: Parts, query = ''): Promise<void> {
  const answer = await almanac.call('PUT', `/v3/alm/template/${id}${query}`, {
    token: await almanac.userToken(),
    json: { ...template(parts), label: 'second' },
  });
  if (answer.status !== 202) throw new Error(`The update was refused: ${answer.text}`);
  await almanac.waitFor(id, 'UPDATE_COMPLETE', 60);
}

export interface Store {
  id: string;
  kind: string;
  state: string;
  restored_from: string | null;
}

/** As the interface lists them. */
export async function storesOf({ almanac }: Browsing, id: string, state = 'all'): Promise<Store[]> {
  const path = `/v3/alm/data?stack_id=${id}&state=${state}`;
  return (await almanac.call('GET', path, { token: await almanac.userToken() })).body as unknown as Store[];
}
