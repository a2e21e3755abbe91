import { randomHex } from '../../../src/basics/random.ts';
import { rig } from './rig.ts';

/** A user with a project of its own, so that its limits and what is left in it concern no other suite. */
export interface OwnProject {
  user: string;
  remove(): Promise<void>;
}

interface Answer {
  token: string;
  body: Record<string, { id: string } & { id: string }[]>;
}

async function ask(
  token: string,
  [method, path]: readonly [string, string],
  body?: unknown,
): Promise<Answer> {
  const response = await fetch(`${rig.authUrl}/v3${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'x-auth-token': token },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answers ${response.status}: ${text}`);
  return {
    token: response.headers.get('x-subject-token') ?? '',
    body: (text === '' ? {} : JSON.parse(text)) as Answer['body'],
  };
}

const domain = { name: 'Default' };

async function adminToken(): Promise<string> {
  const password = { user: { name: 'admin', domain, password: rig.password } };
  const scope = { project: { name: 'admin', domain } };
  const auth = { identity: { methods: ['password'], password }, scope };
  return (await ask('', ['POST', '/auth/tokens'], { auth })).token;
}

/** A new project with a user of the same name. Keystone alone is asked: services know a project when it is first used. */
export async function ownProject(roles: readonly string[] = ['member']): Promise<OwnProject> {
  const token = await adminToken();
  const name = `own-${randomHex(8)}`;
  const made = async (kind: 'project' | 'user', members: object = {}): Promise<string> => {
    const { body } = await ask(token, ['POST', `/${kind}s`], { [kind]: { name, ...members } });
    return body[kind]?.id ?? '';
  };
  const project = await made('project');
  const user = await made('user', { password: rig.password });
  for (const role of roles) {
    const { body } = await ask(token, ['GET', `/roles?name=${role}`]);
    await ask(token, ['PUT', `/projects/${project}/users/${user}/roles/${body['roles']?.[0]?.id}`]);
  }
  return {
    user: name,
    remove: async () => {
      // The rig revokes tokens of the administrator when it is restarted.
      const later = await adminToken();
      await ask(later, ['DELETE', `/users/${user}`]);
      await ask(later, ['DELETE', `/projects/${project}`]);
    },
  };
}
