import { drainSeconds } from '../catalog.ts';
import type { Balancer, HealthCheck, Listener } from '../document.ts';

/** One instance behind a balancer. */
export interface Server {
  name: string;
  address: string;
}

/**
 * `expose-fd`: a reload hands the listening sockets on, so that no connection is lost. `hard-stop-after`: how long the old
 * process may go on with what it has begun.
 */
const head = `global
  stats socket /run/haproxy/admin.sock mode 600 level admin expose-fd listeners
  hard-stop-after ${drainSeconds}s
  maxconn 4000
defaults
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout tunnel 1h
  retries 3
  option redispatch 1`;

const checkLines = ({ path, timeoutSeconds }: HealthCheck): string[] => [
  `  timeout check ${timeoutSeconds}s`,
  ...(path === null
    ? []
    : [
        '  option httpchk',
        `  http-check send meth GET uri ${path} ver HTTP/1.1 hdr Host almanac hdr Connection close`,
        '  http-check expect status 200-399',
      ]),
];

function serverLine({ name, address }: Server, { instancePort }: Listener, check: HealthCheck): string {
  const { port, intervalSeconds, healthyThreshold, unhealthyThreshold } = check;
  // Once in doubt it looks closer, whatever the usual interval.
  const pace = `inter ${intervalSeconds}s fastinter 1s downinter 1s`;
  const thresholds = `rise ${healthyThreshold} fall ${unhealthyThreshold}`;
  return `  server ${name} ${address}:${instancePort} check port ${port} ${pace} ${thresholds}`;
}

/**
 * A connection for each request. To an instance: on a blue-green switch, the next request reaches the new container. From a
 * client: an idle one of a process that a reload replaces would be closed, sometimes just as its next request arrives.
 */
const httpLines = ({ port }: Listener): string[] => [
  '  option httpclose',
  '  option forwardfor',
  '  http-request set-header X-Forwarded-Proto http',
  `  http-request set-header X-Forwarded-Port ${port}`,
];

const listenerLines = (listener: Listener, check: HealthCheck, servers: readonly Server[]): string[] => [
  `listen port-${listener.port}`,
  `  bind :${listener.port}`,
  `  mode ${listener.mode}`,
  '  balance leastconn',
  ...(listener.mode === 'http' ? httpLines(listener) : []),
  ...checkLines(check),
  ...servers.map((server) => serverLine(server, listener, check)),
];

/** What the balancer works by. The order of the servers does not count. */
export const configurationOf = ({ listeners, check }: Balancer, servers: readonly Server[]): string => {
  const ordered = servers.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return `${[head, ...listeners.flatMap((listener) => listenerLines(listener, check, ordered))].join('\n')}\n`;
};
