import { expect, it } from 'vitest';
import { failed, succeeded } from './world/clients.ts';
import { master, useRegistry } from './world/registry-world.ts';

const world = useRegistry({ ALM_REGISTRY_TOKEN_SECONDS: '60' });
/** A server whose tokens have expired when the registry sees them: its clock is ten minutes slow. */
const slowClock = {
  NODE_OPTIONS: '--import=data:text/javascript,const{now}=Date;Date.now=()=>now()-600000',
};

const challenge = async (): Promise<string> => {
  const { headers } = await world.caller(null).send('GET', '/v2/root/one/manifests/1');
  return headers.get('www-authenticate') ?? '';
};

it('a token is valid for as long as the setting says', async () => {
  const token = await world.caller(master).token(await challenge());
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
    iat: number;
    exp: number;
  };
  expect(claims.exp - claims.iat).toBe(60);
});

it('an expired token is refused, and the same login works with a new one', async () => {
  const clients = await world.signedIn(master);
  await succeeded(clients.push(await world.layout.simple('one'), 'root/one:1'));
  await world.restartServer(slowClock);
  const token = await world.caller(master).token(await challenge());
  const headers = { authorization: `Bearer ${token}` };
  const refused = await world.caller(null).send('GET', '/v2/root/one/manifests/1', { headers });
  expect(refused.status).toBe(401);
  expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token"');
  expect(await failed(clients.pull('root/one:1'))).toMatch(/unauthorized|denied/);
  await world.restartServer();
  await succeeded(clients.pull('root/one:1'));
});
