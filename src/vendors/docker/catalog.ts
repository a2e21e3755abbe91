import type { Catalog } from '../vendor.ts';
import type { Service } from './document.ts';

/** What the engine of one machine offers. Regions are only names there. */
export const catalog: Catalog = {
  regions: ['local'],
  defaultInstanceType: 'container',
  defaultVolumeType: 'container',
  defaultVolumeGib: 0,
  sshUser: 'ec2-user',
};

/** More would bring a single machine to its knees. */
export const maxInstances = 50;

/** How long a balancer lets begun connections of a leaving instance go on. */
export const drainSeconds = 30;

interface ServiceEngine {
  image: ImageRole;
  port: number;
  /** Nodes of one cache, replicas of one database. */
  most: number;
}

export const engines: Readonly<Record<Service['engine'], ServiceEngine>> = {
  mysql: { image: 'mariadb', port: 3306, most: 5 },
  postgresql: { image: 'postgres', port: 5432, most: 5 },
  redis: { image: 'redis', port: 6379, most: 6 },
  memcached: { image: 'memcached', port: 11211, most: 20 },
};

export const imageRoles = ['instance', 'haproxy', 'postgres', 'mariadb', 'redis', 'memcached'] as const;
export type ImageRole = (typeof imageRoles)[number];
