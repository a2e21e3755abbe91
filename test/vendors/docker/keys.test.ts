import ssh2 from 'ssh2';
import { expect, it } from 'vitest';
import { privateKeyOf, publicKeyOf } from '../../../src/vendors/docker/act/keys.ts';

const parsed = (text: string) => {
  const key = ssh2.utils.parseKey(text);
  if (key instanceof Error) throw key;
  return key;
};

it('a private key signs what its public key verifies', () => {
  const [seed, stackId, flag] = ['seed', 'mo-1-a-tk', 'Web 0'];
  const secret = parsed(privateKeyOf(seed, stackId, flag).reveal());
  const publicKey = parsed(publicKeyOf(seed, stackId, flag));
  expect(secret.type).toBe('ssh-ed25519');
  expect(secret.getPublicSSH()).toEqual(publicKey.getPublicSSH());
  expect(publicKey.verify('message', secret.sign('message'))).toBe(true);
});

it('each stack and each layer has its own key, always the same', () => {
  const keys = [
    publicKeyOf('one', 'mo-1', 'Web'),
    publicKeyOf('one', 'mo-1', 'Other'),
    publicKeyOf('two', 'mo-1', 'Web'),
  ];
  expect(new Set(keys.map((key) => key.split(' ')[1])).size).toBe(3);
  expect(publicKeyOf('one', 'mo-1', 'Web')).toBe(keys[0]);
});

it.each(['a', 'ab', 'abc', 'abcdefgh', 'x'.repeat(90)])(
  'a private key is well formed for a flag of any length: %s',
  (flag) => expect(parsed(privateKeyOf('seed', 'mo-1', flag).reveal()).comment).toBe(`mo-1-${flag}`),
);
