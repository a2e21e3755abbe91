import ssh2 from 'ssh2';
import { expect, it } from 'vitest';
import { Secret } from '../../../src/basics/secret.ts';
import { sampleLayer, sampleModel } from '../sample-model.ts';
import { longEnough, sandboxWorld, stackNamed } from './world.ts';

const subnet = { cidr: '10.0.1.0/24', public: true, assignPublicIp: true };
const bare = sampleLayer({ flag: 'Bare', keyPair: false, subnet });
const model = sampleModel({ layers: [sampleLayer(), bare] });

it('a layer with a key pair has a valid private key, always the same, once the pair is ready', async () => {
  const world = sandboxWorld();
  const { apply, stack } = world.on(stackNamed('keys'));
  const read = async (flag: string) => (await world.driver.readPrivateKey?.(stack, flag))?.reveal();
  await apply(model, 'v1');
  expect(await read('Web0')).toBeUndefined();
  world.clock.advance(longEnough);
  const key = (await read('Web0')) ?? '';
  expect(ssh2.utils.parseKey(key)).toMatchObject({ type: 'ssh-ed25519' });
  world.clock.advance(longEnough);
  expect(await read('Web0')).toBe(key);
  expect(await read('Bare')).toBeUndefined();
  expect(await read('Other')).toBeUndefined();
});

it('a private key depends on the access secret and on the stack', async () => {
  const world = sandboxWorld(0);
  const [one, other] = [world.on(stackNamed('one')), world.on(stackNamed('other'))];
  await one.apply(model, 'v1');
  await other.apply(model, 'v1');
  const { accountId } = one.stack;
  const otherSecret = world.vendor.connect({
    accountId,
    credentialId: 'cred',
    secret: new Secret('another'),
    role: null,
    authUrl: null,
  });
  const keys = [
    await world.driver.readPrivateKey?.(one.stack, 'Web0'),
    await world.driver.readPrivateKey?.(other.stack, 'Web0'),
    await otherSecret.readPrivateKey?.(one.stack, 'Web0'),
  ].map((key) => key?.reveal());
  expect(new Set(keys).size).toBe(3);
});

it('a private key cannot be read during an outage', async () => {
  const world = sandboxWorld(0);
  const { apply, inject, stack } = world.on(stackNamed('outage'));
  await apply(model, 'v1');
  await inject({ kind: 'unreachable', seconds: 60 });
  await expect(world.driver.readPrivateKey?.(stack, 'Web0')).rejects.toThrow('is unreachable');
});
