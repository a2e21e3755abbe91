import { expect, it } from 'vitest';
import { sshUserOf } from '../../../src/vendors/openstack/choose/images.ts';
import { image } from './offer.ts';

it.each([
  ['debian', image('debian-12-genericcloud')],
  ['ubuntu', image('Ubuntu 24.04 LTS')],
  ['ubuntu', image('jammy', { distribution: 'ubuntu' })],
  ['cloud-user', image('base', { distribution: 'centos' })],
  ['ops', image('debian-12', { adminUser: 'ops' })],
  ['debian', image('debian-12', { adminUser: '-oProxyCommand=x' })],
  ['debian', image('appliance')],
])('the ssh user is %s: named by the image, else usual for its distribution', (user, of) => {
  expect(sshUserOf(of)).toBe(user);
});
