import type { Catalog } from '../vendor.ts';
import type { Service } from './document.ts';

/** Regions are only names on one machine. */
export const catalog: Catalog = {
  regions: ['local'],
  defaultInstanceType: 'container',
  defaultVolumeType: 'container',
  defaultVolumeGib: 0,
  sshUser: 'ec2-user',
};

/** A limit that one machine can carry. */
export const maxInstances = 50;

/** How long a balancer keeps open connections of an instance that is being removed. */
export const drainSeconds = 30;

interface ServiceEngine {
  image: ImageRole;
  port: number;
  /** Nodes of one cache, replicas of one database. */
  maxNodes: number;
}

export const engines: Readonly<Record<Service['engine'], ServiceEngine>> = {
  mysql: { image: 'mariadb', port: 3306, maxNodes: 5 },
  postgresql: { image: 'postgres', port: 5432, maxNodes: 5 },
  redis: { image: 'redis', port: 6379, maxNodes: 6 },
  memcached: { image: 'memcached', port: 11211, maxNodes: 20 },
};

export const imageRoles = ['instance', 'haproxy', 'postgres', 'mariadb', 'redis', 'memcached'] as const;
export type ImageRole = (typeof imageRoles)[number];
