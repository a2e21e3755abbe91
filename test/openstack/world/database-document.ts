import type { Properties } from '../../../src/vendors/openstack/document.ts';
import type { StackOnVendor } from '../../../src/vendors/vendor.ts';
import { documentOf, testResource } from './documents.ts';

/** Heat looks for the network while it validates, before it exists. */
const expression = 'coalesce($.data.own, public)';

export interface Wanted {
  size: number;
  engine?: 'mysql' | 'postgresql';
  /** Names of databases in the instance. MySQL has one named mysql itself, so Trove rejects it, and Heat only when it is asked to. */
  names?: readonly string[];
  other?: Properties;
}

const versions = { mysql: '8.0', postgresql: '14' };

/** A database, and a resource that is changed after it. */
export const withDatabase = (
  { id }: StackOnVendor,
  { size, engine = 'mysql', names = ['app'], other = {} }: Wanted,
) =>
  documentOf({
    Network: { type: 'OS::Neutron::Net' },
    Subnet: {
      type: 'OS::Neutron::Subnet',
      properties: { network: { get_resource: 'Network' }, cidr: '10.9.0.0/24', ip_version: 4 },
    },
    Router: { type: 'OS::Neutron::Router', properties: { external_gateway_info: { network: 'public' } } },
    RouterInterface: {
      type: 'OS::Neutron::RouterInterface',
      properties: { router: { get_resource: 'Router' }, subnet: { get_resource: 'Subnet' } },
    },
    Databasemain: {
      type: 'OS::Trove::Instance',
      depends_on: ['RouterInterface'],
      properties: {
        name: `${id}-main`,
        flavor: 'm1.small',
        size,
        datastore_type: engine,
        datastore_version: versions[engine],
        networks: [{ network: { yaql: { expression, data: { own: { get_resource: 'Network' } } } } }],
        databases: names.map((name) => ({ name })),
      },
    },
    // After the database, so that its change is complete when this one fails.
    Other: { ...testResource(other), depends_on: ['Databasemain'] },
  });
