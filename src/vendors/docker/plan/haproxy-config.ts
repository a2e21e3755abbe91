import { drainSeconds } from '../catalog.ts';
import type { Balancer, HealthCheck, Listener } from '../document.ts';

/** One instance behind a balancer. */
export interface Server {
  name: string;
  address: string;
}

/**
 * `expose-fd`: a reload passes the listening sockets on, so that no connection is lost. `hard-stop-after`: how long the
 * old process may finish its requests.
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
  // A failing server is checked every second, whatever its interval.
  const pace = `inter ${intervalSeconds}s fastinter 1s downinter 1s`;
  const thresholds = `rise ${healthyThreshold} fall ${unhealthyThreshold}`;
  return `  server ${name} ${address}:${instancePort} check port ${port} ${pace} ${thresholds}`;
}

/**
 * One request per connection. To an instance: after a blue-green switch, the next request reaches the new container. From
 * a client: a reload would close idle connections of the old process, sometimes just as a request arrives.
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

/** The order of the servers does not matter. */
export const configurationOf = ({ listeners, check }: Balancer, servers: readonly Server[]): string => {
  const ordered = servers.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return `${[head, ...listeners.flatMap((listener) => listenerLines(listener, check, ordered))].join('\n')}\n`;
};
