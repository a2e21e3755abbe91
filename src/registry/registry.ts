import { exchange, isUnknown, type RegistryAccess, type RegistryOptions, unexpected } from './exchange.ts';
import { type Manifest, manifestTypes, parseManifest } from './manifest.ts';
import { type ListRequest, readPages } from './page.ts';
import { deletionDisabled, unusable } from './registry-failure.ts';

const on = (repository: string, ...actions: string[]): RegistryAccess => ({
  type: 'repository',
  name: repository,
  actions,
});

const catalogPage = 500;

/** The HTTP API of one registry. Names, tags and digests are valid: callers check them. */
export class Registry {
  readonly #options: RegistryOptions;

  constructor(options: RegistryOptions) {
    this.#options = options;
  }

  /** All repositories, page by page, in the order of the registry. */
  repositories(): AsyncGenerator<string[]> {
    const access = { type: 'registry', name: 'catalog', actions: ['*'] } as const;
    return readPages(this.#options, {
      path: `/v2/_catalog?n=${catalogPage}`,
      access,
      member: 'repositories',
    });
  }

  /** Empty if the repository does not exist. */
  async tags(repository: string): Promise<string[]> {
    const access = on(repository, 'pull');
    const request: ListRequest = { path: `/v2/${repository}/tags/list`, access, member: 'tags' };
    const tags: string[] = [];
    for await (const page of readPages(this.#options, request)) tags.push(...page);
    return tags.toSorted();
  }

  /** Null if there is none, or only the placeholder of a deletion. */
  async manifest(repository: string, reference: string): Promise<Manifest | null> {
    const manifest = await this.storedManifest(repository, reference);
    return manifest?.isPlaceholder ? null : manifest;
  }

  /** Also a placeholder. Null if there is none. */
  async storedManifest(repository: string, reference: string): Promise<Manifest | null> {
    const request = {
      method: 'GET',
      path: `/v2/${repository}/manifests/${reference}`,
      access: on(repository, 'pull'),
      headers: { accept: manifestTypes },
    } as const;
    const answer = await exchange(this.#options, request);
    if (isUnknown(answer)) return null;
    if (answer.status !== 200) throw unexpected(this.#options, request, answer);
    const manifest = parseManifest(answer.body, {
      contentType: answer.headers.get('content-type') ?? '',
      digest: answer.headers.get('docker-content-digest'),
    });
    if (!manifest) throw unusable(this.#options.url, `no manifest at ${request.path}`);
    return manifest;
  }

  /** A blob with JSON, such as the configuration of an image; null if it is missing or something else. */
  async json(repository: string, digest: string): Promise<unknown> {
    const path = `/v2/${repository}/blobs/${digest}`;
    const request = { method: 'GET', path, access: on(repository, 'pull') } as const;
    const { status, body } = await exchange(this.#options, request);
    if (status !== 200) return null;
    try {
      return JSON.parse(body.toString('utf8'));
    } catch {
      return null;
    }
  }

  /** Deletes the manifest with all tags that refer to it. False: it was not there. */
  async deleteManifest(repository: string, digest: string): Promise<boolean> {
    const path = `/v2/${repository}/manifests/${digest}`;
    const request = { method: 'DELETE', path, access: on(repository, 'delete') } as const;
    const answer = await exchange(this.#options, request);
    if (isUnknown(answer)) return false;
    if (answer.status === 405) throw deletionDisabled(this.#options.url);
    if (answer.status >= 300) throw unexpected(this.#options, request, answer);
    return true;
  }

  async putManifest(
    repository: string,
    tag: string,
    { mediaType, content }: Pick<Manifest, 'mediaType' | 'content'>,
  ): Promise<void> {
    const request = {
      method: 'PUT',
      path: `/v2/${repository}/manifests/${tag}`,
      access: on(repository, 'pull', 'push'),
      headers: { 'content-type': mediaType },
      body: content,
    } as const;
    const answer = await exchange(this.#options, request);
    if (answer.status >= 300) throw unexpected(this.#options, request, answer);
  }
}
