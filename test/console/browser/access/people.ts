import type { Json } from '../../../http.ts';
import type { Browsing, User } from '../harness.ts';

const password = 'walnut copper 71 ferry';

/** Calls the API as the master user. */
export async function asMaster(
  browsing: Browsing,
  method: string,
  path: string,
  json?: object,
): Promise<Json> {
  const token = await browsing.almanac.userToken();
  const answer = await browsing.almanac.call(method, path, { token, ...(json ? { json } : {}) });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
  return answer.body;
}

export const statement = (Effect: string, Action: string[], Resource = ['*']): object => ({
  Effect,
  Action,
  Resource,
});

const scopeOf = (...Statement: object[]): object => ({ Version: '2017-05-05', Statement });

export async function makeRole(browsing: Browsing, name: string, ...statements: object[]): Promise<string> {
  const { role_id } = await asMaster(browsing, 'POST', '/v3/role', { name, scope: scopeOf(...statements) });
  return String(role_id);
}

/** Takes effect at once for everyone who has the role. */
export async function changeRole(
  browsing: Browsing,
  role: { id: string; name: string },
  ...statements: object[]
): Promise<void> {
  await asMaster(browsing, 'PUT', `/v3/role/${role.id}`, { name: role.name, scope: scopeOf(...statements) });
}

/** A user with these roles. */
export async function makeUser(browsing: Browsing, username: string, ...roles: string[]): Promise<User> {
  // A repeated test starts again.
  const token = await browsing.almanac.userToken();
  await browsing.almanac.call('DELETE', `/v3/user/${username}`, { token });
  await asMaster(browsing, 'POST', '/v3/user', { username, password });
  for (const role_id of roles) await asMaster(browsing, 'POST', '/v3/user/role', { username, role_id });
  return { username, password };
}

/** A user who may do nothing: a user without any role would have the default rights. */
export async function makeUserWithoutRights(browsing: Browsing, username: string): Promise<User> {
  return makeUser(browsing, username, await makeRole(browsing, `nothing for ${username}`));
}
