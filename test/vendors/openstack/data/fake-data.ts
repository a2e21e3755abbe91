import type { Asked } from '../fake-cloud.ts';

interface Volume {
  id: string;
  status: string;
  size: number;
  attachments: { server_id: string }[];
  metadata: Record<string, string>;
}

interface Backup {
  id: string;
  name: string;
  instance_id: string;
  status: string;
  created: string;
}

const gone = { status: 404, body: { itemNotFound: { code: 404, message: 'It could not be found.' } } };

/** The volumes of Cinder and the backups of Trove. */
export class FakeData {
  volumes: Volume[] = [];
  backups: Backup[] = [];
  /** Otherwise Trove does not reach Swift. */
  hasStorage = true;

  /** An attached volume of the stack mo-1. */
  add(id: string, resource: string, metadata: Record<string, string> = {}): Volume {
    const own = { almanac_stack: 'mo-1', almanac_store: resource };
    const attachments = [{ server_id: 's' }];
    const volume = { id, status: 'in-use', size: 20, attachments, metadata: { ...own, ...metadata } };
    this.volumes.push(volume);
    return volume;
  }

  detach(id: string): void {
    Object.assign(this.#volume(id) ?? {}, { status: 'available', attachments: [] });
  }

  releaseOf = (id: string): string | undefined => this.#volume(id)?.metadata['almanac_release'];

  readonly #volume = (id: string): Volume | undefined => this.volumes.find((each) => each.id === id);

  /** Undefined: the request is for another service. */
  answer({ method, path, body }: Asked): { status?: number; body?: unknown } | undefined {
    const [, service, kind, id = '', part] = path.split('?')[0]?.split('/') ?? [];
    if (service === 'database' && kind === 'backups') return this.#backup(method, body);
    if (service !== 'volumev3') return undefined;
    if (id === 'detail') return { body: { volumes: this.volumes } };
    const volume = this.#volume(id);
    if (!volume) return gone;
    if (method === 'DELETE') this.volumes = this.volumes.filter((each) => each !== volume);
    if (part === 'metadata') Object.assign(volume.metadata, (body as Pick<Volume, 'metadata'>).metadata);
    if (part === 'action')
      Object.assign(volume, { size: (body as { 'os-extend': { new_size: number } })['os-extend'].new_size });
    return { body: { volume } };
  }

  #backup(method: string, body: unknown): { status?: number; body?: unknown } {
    if (method === 'GET') return { body: { backups: this.backups } };
    const message = 'Swift account not accessible for tenant p.';
    if (!this.hasStorage) return { status: 401, body: { unauthorized: { code: 401, message } } };
    const { name, instance } = (body as { backup: { name: string; instance: string } }).backup;
    const created = '2026-01-01T00:00:00';
    this.backups.push({ id: `b${this.backups.length}`, name, instance_id: instance, status: 'NEW', created });
    return { status: 202, body: {} };
  }
}
