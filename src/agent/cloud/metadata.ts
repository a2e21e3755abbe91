import { readFile } from 'node:fs/promises';
import type { Clock } from '../../basics/clock.ts';
import { http } from '../http.ts';
import { type CloudName, type MetadataService, metadataServices } from './metadata-services.ts';
import type { AwsKeys } from './sigv4.ts';

/** The instance metadata service of the cloud. */
export interface Metadata {
  instanceId(): Promise<string | undefined>;
  region(): Promise<string | undefined>;
  /** The temporary keys of the instance's role. */
  keys(): Promise<AwsKeys>;
  /** The notice that the cloud will reclaim the instance; undefined: none. */
  spotNotice(): Promise<string | undefined>;
  /** Whether the group of the instance has decided to terminate it. */
  isTerminating(): Promise<boolean>;
  /** The name of the group that launched the instance; undefined: none. */
  groupName(): Promise<string | undefined>;
}

const noRole = 'The instance has no role (IAM, RAM), or its metadata service is unreachable.';

/** Metadata outside a cloud: only a file that acts as the spot notice. */
const fileMetadata = (path: string | null): Metadata => ({
  instanceId: async () => undefined,
  region: async () => undefined,
  keys: () => Promise.reject(new Error(noRole)),
  spotNotice: async () => (path === null ? undefined : readFile(path, 'utf8').catch(() => undefined)),
  isTerminating: async () => false,
  groupName: async () => undefined,
});

class MetadataClient implements Metadata {
  readonly #clock: Clock;
  readonly #base: string;
  readonly #service: MetadataService;
  #session: string | undefined;

  constructor(clock: Clock, base: string, service: MetadataService) {
    this.#clock = clock;
    this.#base = base.replace(/\/+$/, '');
    this.#service = service;
  }

  instanceId = () => this.#read(this.#service.instanceId);
  region = () => this.#read(this.#service.region);
  spotNotice = () => this.#read(this.#service.spotNotice);
  isTerminating = async () => (await this.#readKnown(this.#service.lifecycleState)) === 'Terminated';
  groupName = () => this.#readKnown(this.#service.groupName);

  async keys(): Promise<AwsKeys> {
    const { keys: folder, secret, session } = this.#service;
    const role = (await this.#read(`${folder}/`))?.split('\n')[0]?.trim();
    const found = role ? await this.#read(`${folder}/${role}`) : undefined;
    if (found === undefined) throw new Error(noRole);
    const keys = JSON.parse(found) as Record<string, string | undefined>;
    const [accessKeyId, secretAccessKey] = [keys['AccessKeyId'], keys[secret]];
    if (!accessKeyId || !secretAccessKey) throw new Error(noRole);
    return { accessKeyId, secretAccessKey, sessionToken: keys[session] };
  }

  async #readKnown(path: string | null): Promise<string | undefined> {
    return path === null ? undefined : this.#read(path);
  }

  /** Sessions expire: on status 401 a new session is opened. */
  async #read(path: string): Promise<string | undefined> {
    for (const session of [this.#session, undefined]) {
      this.#session = session ?? (await this.#openSession());
      const { status, body } = await http(this.#clock, `${this.#base}/latest/meta-data/${path}`, {
        headers: { [this.#service.sessionHeader]: this.#session },
        timeoutSeconds: 3,
      });
      if (status === 200) return body.toString('utf8').trim();
      if (status === 404) return undefined;
    }
    throw new Error(`Cannot read ${path} from the metadata service.`);
  }

  async #openSession(): Promise<string> {
    const { status, body } = await http(this.#clock, `${this.#base}/latest/api/token`, {
      method: 'PUT',
      headers: { [this.#service.lifetimeHeader]: '21600' },
      timeoutSeconds: 3,
    });
    if (status !== 200) throw new Error(`The metadata service returned status ${status}.`);
    return body.toString('utf8');
  }
}

export const openMetadata = (clock: Clock, address: string | null, cloud: CloudName = 'aws'): Metadata =>
  address === null || address.startsWith('file:')
    ? fileMetadata(address?.replace(/^file:(\/\/)?/, '') ?? null)
    : new MetadataClient(clock, address, metadataServices[cloud]);
