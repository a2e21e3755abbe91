import type { SandboxStack } from '../../../src/vendors/sandbox/cloud.ts';
import { contentOf } from '../../../src/vendors/sandbox/data.ts';
import { resourcesAt } from '../../../src/vendors/sandbox/timeline.ts';
import { oneServer } from '../../world.ts';
import type { Answer, Json, Request, ServedAlmanac } from '../served-almanac.ts';

interface Sections {
  rds?: object;
  elasticache?: object;
  storage?: object;
  region?: string;
}

export const mysql = { engine: 'mysql', storage: 20 };
export const redis = { engine: 'redis', node_type: 'cache.t2.micro' };
export const local = { type: 'local' };

/** One fixed server, and stores of data beside it. */
export const withData = ({ rds, elasticache, storage, region }: Sections = {}) => {
  const { configurations, ...rest } = oneServer(1, region);
  const [layer] = configurations;
  const provision = { ...layer?.provision, ...(rds && { rds }), ...(elasticache && { elasticache }) };
  const container = { container_image: 'library/nginx', ...(storage && { container_storage: storage }) };
  return { ...rest, configurations: [{ ...layer, provision, container }] };
};

/** Calls about data, as the master of the first account unless a token is given. */
export class DataCaller {
  private readonly almanac: ServedAlmanac;

  constructor(almanac: ServedAlmanac) {
    this.almanac = almanac;
  }

  async call<Body = Json>(method: string, path: string, request: Request = {}): Promise<Answer<Body>> {
    const token = request.token ?? (await this.almanac.userToken());
    return this.almanac.call<Body>(method, path, { ...request, token });
  }

  list = (query = '', request: Request = {}): Promise<Answer<Json[]>> =>
    this.call<Json[]>('GET', `/v3/alm/data${query}`, request);
  show = (id: string, request: Request = {}) => this.call('GET', `/v3/alm/data/${id}`, request);
  forget = (id: string, request: Request = {}) => this.call('DELETE', `/v3/alm/data/${id}`, request);
  restore = (id: string, request: Request = {}) => this.call('POST', `/v3/alm/data/${id}/restore`, request);
  update = (stackId: string, json: object, query = '') =>
    this.call('PUT', `/v3/alm/template/${stackId}${query}`, { json });
  delete = (stackId: string, query = '', request: Request = {}) =>
    this.call('DELETE', `/v3/alm/stack/${stackId}${query}`, request);

  /** A complete stack. */
  async created(template: object): Promise<{ stackId: string; versionId: string }> {
    const stackId = await this.almanac.applyTemplate(template);
    const { version_id } = await this.almanac.waitFor(stackId, 'CREATE_COMPLETE');
    return { stackId, versionId: String(version_id) };
  }

  /** An update that is accepted and completes. */
  async updated(stackId: string, template: object, query = ''): Promise<Json> {
    const answer = await this.update(stackId, template, query);
    if (answer.status !== 202) throw new Error(`The update was not accepted: ${answer.text}`);
    return this.almanac.waitFor(stackId, 'UPDATE_COMPLETE');
  }

  async deleted(stackId: string, query = '?servers=replace'): Promise<void> {
    const answer = await this.delete(stackId, query);
    if (answer.status !== 200) throw new Error(`The deletion was not accepted: ${answer.text}`);
    await this.almanac.waitFor(stackId, 'DELETE_COMPLETE');
  }

  /** All stores that a stack ever had, except disks. */
  stores = async (stackId: string): Promise<Json[]> =>
    (await this.list(`?stack_id=${stackId}&state=all`)).body.filter(({ kind }) => kind !== 'disk');

  /** A stack that had a database, whose data is kept now. */
  async keptDatabase(): Promise<{ stackId: string; versionId: string; id: string; content: string }> {
    const { stackId, versionId } = await this.created(withData({ rds: mysql }));
    const [content = ''] = await this.contents(stackId, 'DatabaseInstance');
    await this.updated(stackId, withData(), '?data=keep');
    const [store] = await this.stores(stackId);
    return { stackId, versionId, id: String(store?.id), content };
  }

  /** What the simulated cloud has in the resources of a type. */
  async contents(stackId: string, type: string): Promise<string[]> {
    const { database, clock } = this.almanac.service;
    const rows = await database.query
      .selectFrom('sandbox_stacks')
      .select('record')
      .where('stack_id', '=', stackId)
      .execute();
    const plans = rows.map(({ record }) => JSON.parse(record) as SandboxStack);
    return plans
      .flatMap((plan) => resourcesAt(plan, clock.now()))
      .filter((resource) => resource.type === type)
      .map(contentOf);
  }
}
