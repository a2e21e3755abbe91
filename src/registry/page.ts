import { isObject } from '../basics/is-object.ts';
import { exchange, isUnknown, type RegistryOptions, type RegistryRequest, unexpected } from './exchange.ts';
import { unusable } from './registry-failure.ts';

interface Page {
  names: string[];
  /** Path of the next page; null: this is the last. */
  next: string | null;
}

export interface ListRequest extends Pick<RegistryRequest, 'path' | 'access'> {
  /** Member of the answer that has the names. */
  member: 'repositories' | 'tags';
}

/** The next page has the same path. Its address may have another host behind a proxy: only the query counts. */
function nextPath(path: string, link: string | null): string | null {
  const target = /<([^>]*)>\s*;\s*rel="?next"?/i.exec(link ?? '')?.[1];
  if (target === undefined) return null;
  const { search } = new URL(target, 'http://registry');
  return path.replace(/\?.*$/s, '') + search;
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** A repository without tags has `null` instead of a list. */
function namesIn(body: Buffer, member: string): string[] | null {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    if (!isObject(parsed)) return null;
    const names = parsed[member] ?? [];
    return Array.isArray(names) && names.every(isText) ? names : null;
  } catch {
    return null;
  }
}

async function readPage(options: RegistryOptions, { path, access, member }: ListRequest): Promise<Page> {
  const request = { method: 'GET', path, access, headers: { accept: 'application/json' } } as const;
  const answer = await exchange(options, request);
  if (member === 'tags' && isUnknown(answer)) return { names: [], next: null };
  if (answer.status !== 200) throw unexpected(options, request, answer);
  const names = namesIn(answer.body, member);
  if (!names) throw unusable(options.url, `no list of ${member} at ${path}`);
  return { names, next: nextPath(path, answer.headers.get('link')) };
}

/** All pages, one after the other. A repository that the registry does not know has no tags. */
export async function* readPages(options: RegistryOptions, request: ListRequest): AsyncGenerator<string[]> {
  const seen = new Set<string>();
  for (let path: string | null = request.path; path !== null && !seen.has(path); ) {
    seen.add(path);
    const page: Page = await readPage(options, { ...request, path });
    yield page.names;
    path = page.next;
  }
}
