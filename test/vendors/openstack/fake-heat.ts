import { dialects } from '../../../src/vendors/openstack/dialect.ts';
import { connect } from '../../../src/vendors/openstack/driver.ts';
import { makeRegion } from '../../../src/vendors/openstack/region.ts';
import type { Driver } from '../../../src/vendors/vendor.ts';
import { FakeData } from './data/fake-data.ts';
import { type Asked, FakeCloud } from './fake-cloud.ts';

interface Resource {
  resource_name: string;
  resource_type: string;
  physical_resource_id: string;
  resource_status: string;
  resource_status_reason?: string;
  links: { rel: string; href: string }[];
}

interface Mark {
  mark_unhealthy: boolean;
  resource_status_reason: string;
}

const stackPath = '/stacks/mo-1/h1';

/** What an update asks for. */
export interface Update {
  template: { resources: Record<string, unknown> };
  disable_rollback: boolean;
  environment?: { resource_registry?: { resources?: Record<string, { restricted_actions?: string }> } };
}

/** Heat with one stack, mo-1, whose resources a test sets; Nova and Trove with what is alive. */
export class FakeHeat extends FakeCloud {
  status = 'CREATE_COMPLETE';
  reason = '';
  template: unknown = { resources: {} };
  resources: Resource[] = [];
  /** Otherwise Heat answers without the list. */
  listsResources = true;
  /** Volumes of databases in GiB by id. A database that is not among them does not exist. */
  databases: Record<string, number> = {};
  /** Their name, and that of all servers. */
  name = 'mo-1-main';
  servers: readonly string[] = [];
  tags: readonly string[] = ['almanac', 'version=v1'];
  /** What a proxy answers with 404 instead of the services. */
  page = '';
  /** The paths at which it does so. */
  proxied = /^\/(compute|database)\/\w+\/id-of-/;
  /** Statuses that every resource had. */
  past: readonly string[] = ['CREATE_IN_PROGRESS', 'CREATE_COMPLETE'];
  /** What was said of other ids that a resource had before. */
  older: readonly { resource_status: string; physical_resource_id: string }[] = [];
  /** Heat dropped its oldest events. */
  forgets = false;
  /** When Heat last reported anything about the stack: now. */
  readonly eventAt = new Date(this.clock.now()).toISOString();
  readonly updates: Update[] = [];
  /** What was asked of the stack itself: its deletion, actions, and updates without a template. */
  readonly requests: string[] = [];
  override services: readonly string[] = ['compute', 'database', 'volumev3', 'object-store'];
  /** Volumes and backups. */
  readonly data = new FakeData();

  add(name: string, type: string, status: string, reason = ''): void {
    this.resources.push({
      resource_name: name,
      resource_type: type,
      physical_resource_id: `id-of-${name}`,
      resource_status: status,
      resource_status_reason: reason,
      links: [{ rel: 'stack', href: `http://cloud.example/heat${stackPath}` }],
    });
  }

  statusOf = (name: string): string | undefined =>
    this.resources.find((each) => each.resource_name === name)?.resource_status;

  override readonly answers: FakeCloud['answers'] = (asked) => {
    const [, service = '', ...rest] = asked.path.split('?')[0]?.split('/') ?? [];
    const id = rest[1] ?? '';
    if (this.page && this.proxied.test(asked.path)) return { status: 404, text: this.page };
    const found = this.data.answer(asked);
    if (found) return found;
    if (service === 'database' && id === '') return { body: { instances: this.#databaseRows() } };
    if (asked.path.startsWith('/compute/flavors')) return { body: { flavors: [] } };
    if (asked.path.startsWith('/compute/servers?name=')) return { body: { servers: this.#namedServers() } };
    if (service === 'database')
      return Object.hasOwn(this.databases, id)
        ? { body: { instance: { id, status: 'ACTIVE', volume: { size: this.databases[id] } } } }
        : this.#gone();
    if (service === 'compute')
      return id === 'detail' || this.servers.includes(id) ? { body: { servers: [] } } : this.#gone();
    return { body: this.#heat(asked, `/${rest.join('/')}`) };
  };

  readonly #databaseRows = () =>
    Object.entries(this.databases).map(([id, size]) => ({
      id,
      name: this.name,
      status: 'ACTIVE',
      volume: { size },
    }));
  readonly #namedServers = () => this.servers.map((id) => ({ id, name: this.name }));

  readonly #gone = () => ({
    status: 404,
    body: { itemNotFound: { code: 404, message: 'It could not be found.' } },
  });

  #heat({ method, body, path: address }: Asked, path: string): unknown {
    const resource = this.resources.find((each) => path === `${stackPath}/resources/${each.resource_name}`);
    if (resource && method === 'PATCH') this.#mark(resource, body as Mark);
    if (path.endsWith('/events')) return { events: this.#events(address) };
    if (path === `${stackPath}/template`) return this.template;
    if (path === `${stackPath}/resources`) return this.listsResources ? { resources: this.resources } : {};
    if (path === '/stacks') return { stacks: [this.#row()] };
    if (method === 'PUT') this.updates.push(body as Update);
    else if (method !== 'GET' && !resource) this.requests.push(`${method} ${JSON.stringify(body ?? '')}`);
    return { stack: this.#row() };
  }

  #events(address: string) {
    const name = /resource_name=(\w+)|resources\/(\w+)\/events/.exec(address)?.slice(1).join('');
    const past = this.past.map((each) => ({ resource_status: each, physical_resource_id: '' }));
    const ofResource = [...past, ...this.older];
    if (name) return ofResource.map((event) => Object.assign(event, { resource_name: name }));
    const status = this.forgets ? 'UPDATE_IN_PROGRESS' : 'CREATE_IN_PROGRESS';
    const event = { id: 'e1', resource_name: 'mo-1', physical_resource_id: 'h1', resource_status: status };
    return [{ ...event, event_time: this.eventAt }];
  }

  /** As Heat does it: only an unhealthy resource can be marked as healthy. */
  #mark(resource: Resource, { mark_unhealthy: unhealthy, resource_status_reason: reason }: Mark): void {
    if (!unhealthy && resource.resource_status !== 'CHECK_FAILED') return;
    resource.resource_status = unhealthy ? 'CHECK_FAILED' : 'CHECK_COMPLETE';
    resource.resource_status_reason = reason;
  }

  #row() {
    return {
      id: 'h1',
      stack_name: 'mo-1',
      stack_status: this.status,
      stack_status_reason: this.reason,
      creation_time: '2026-01-01T00:00:00Z',
      tags: this.tags,
    };
  }

  driver(dialect: 'openstack' | 'k5' = 'openstack'): Driver {
    const region = makeRegion({
      client: this.client(),
      clock: this.clock,
      dialect: dialects[dialect],
      pollMs: 1000,
    });
    return connect(() => region, dialects[dialect]);
  }
}
