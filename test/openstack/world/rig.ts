import { describe } from 'vitest';
import { normalAuthUrl } from '../../../src/basics/net/auth-url.ts';

/** The rig that scripts/with-openstack.sh started. */
export const rig = {
  authUrl: normalAuthUrl(process.env['ALM_TEST_OPENSTACK_URL'] ?? '') ?? 'http://127.0.0.1:5000',
  isFull: process.env['ALM_TEST_OPENSTACK_PARTS'] !== 'heat',
  tools: process.env['ALM_OPENSTACK_RIG_TOOLS'] ?? '',
  folder: process.env['OPENSTACK_RIG'] ?? '',
  region: 'RegionOne',
  password: 'rigsecret',
};

/** A suite that needs servers, networks and databases. */
export const describeOnFullRig = describe.skipIf(!rig.isFull);
