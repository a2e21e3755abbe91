export type DialectName = 'openstack' | 'k5';

/** Names of members that refer to other resources. Template versions differ in them. */
interface MemberNames {
  network: string;
  router: string;
  subnet: string;
  floatingNetwork: string;
}

/** What the Heat of a cloud can do. */
interface Capabilities {
  /** `PATCH` of stacks and resources. */
  patch: boolean;
  /** Stacks have tags. Without them, the version of a stack is only in the description of its template. */
  tags: boolean;
  /** check, suspend, resume, cancel_update. */
  actions: boolean;
  /** Accepts an update while another one runs. Otherwise it answers 409 until that one has ended. */
  supersedes: boolean;
  /** Signals to resources, without which a stack cannot wait for its servers. */
  signals: boolean;
  /** `user_data_update_policy`. */
  keepsScripts: boolean;
  /** Cinder enlarges volumes that are in use. */
  growsVolumes: boolean;
}

/** How one kind of OpenStack differs from others. One compiler and one driver serve all of them. */
export interface Dialect {
  name: DialectName;
  /** In sentences for users. */
  label: string;
  templateVersion: string;
  members: MemberNames;
  capabilities: Capabilities;
  /** Groups, load balancers and databases are resources of the cloud itself, not of OpenStack. */
  ownServices: boolean;
  /** Networks, and everything in them, lie in one zone. */
  zonedNetworks: boolean;
  /** Servers always boot from a volume. */
  bootsFromVolume: boolean;
  /** Limits of database volumes. */
  databaseGib: { min: number; max: number };
}

export const dialects: Readonly<Record<DialectName, Dialect>> = {
  openstack: {
    name: 'openstack',
    label: 'OpenStack',
    templateVersion: '2018-08-31',
    members: {
      network: 'network',
      router: 'router',
      subnet: 'subnet',
      floatingNetwork: 'floating_network',
    },
    capabilities: {
      patch: true,
      tags: true,
      actions: true,
      supersedes: true,
      signals: true,
      keepsScripts: true,
      growsVolumes: true,
    },
    ownServices: false,
    zonedNetworks: false,
    bootsFromVolume: false,
    databaseGib: { min: 1, max: 150 },
  },
  // From public manuals: K5 is closed to new users.
  k5: {
    name: 'k5',
    label: 'K5',
    templateVersion: '2013-05-23',
    members: {
      network: 'network_id',
      router: 'router_id',
      subnet: 'subnet_id',
      floatingNetwork: 'floating_network_id',
    },
    capabilities: {
      patch: false,
      tags: false,
      actions: false,
      supersedes: false,
      signals: false,
      keepsScripts: false,
      growsVolumes: false,
    },
    ownServices: true,
    zonedNetworks: true,
    bootsFromVolume: true,
    databaseGib: { min: 10, max: 10240 },
  },
};
