import { createHmac } from 'node:crypto';
import { useAutomatic, withContainers } from './automatic-caller.ts';

export interface Hook {
  stackId: string;
  url: string;
  secret: string;
}

type Headers = Record<string, string>;

const git = { container_git_repo: 'git@git.example.com:ann/shop.git', container_git_reference: 'main' };

/** A container with code, and the events of forges about it. */
export const code = {
  git,
  commit: '1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d',
  push: {
    ref: 'refs/heads/main',
    after: '1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d',
    repository: { clone_url: 'https://git.example.com/ann/shop.git' },
    pusher: { name: 'ann' },
  },
};

export const hookPath = (stackId: string) => `/v3/alm/stack/${stackId}/deploy-hook`;

export const hmac = ({ secret }: Hook, body: object): string =>
  createHmac('sha256', secret).update(JSON.stringify(body)).digest('hex');

/** Stacks with deploy hooks, and calls of the hooks as forges and CI make them. */
export function useHooks() {
  const automatic = useAutomatic();
  const { almanac, create } = automatic;

  const createHook = async (stackId: string, token?: string) =>
    almanac.call('POST', hookPath(stackId), { token: token ?? (await almanac.userToken()) });

  const makeStack = async (...containers: object[]): Promise<string> =>
    String((await create(withContainers(...containers))).body.stack_id);

  const hookOf = async (stackId: string, token?: string): Promise<Hook> => {
    const { url, secret } = (await createHook(stackId, token)).body;
    return { stackId, url: String(url), secret: String(secret) };
  };

  const hooked = async (...containers: object[]): Promise<Hook> => hookOf(await makeStack(...containers));

  const send = (hook: Pick<Hook, 'url'>, body: object | string, headers: Headers) =>
    almanac.call('POST', new URL(hook.url).pathname, {
      raw: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });

  const plain = (hook: Hook, body: object = {}, headers: Headers = {}) =>
    send(hook, body, { authorization: `Bearer ${hook.secret}`, ...headers });

  const github = (hook: Hook, body: object, delivery = 'one') =>
    send(hook, body, {
      'x-github-event': 'push',
      'x-github-delivery': delivery,
      'x-hub-signature-256': `sha256=${hmac(hook, body)}`,
    });
  const gitea = (hook: Hook, body: object, delivery = 'one') =>
    send(hook, body, { 'x-gitea-delivery': delivery, 'x-gitea-signature': hmac(hook, body) });
  const gitlab = (hook: Hook, body: object, delivery = 'one') =>
    send(hook, body, { 'x-gitlab-token': hook.secret, 'x-gitlab-event-uuid': delivery });

  return { ...automatic, createHook, makeStack, hookOf, hooked, send, plain, github, gitea, gitlab };
}
