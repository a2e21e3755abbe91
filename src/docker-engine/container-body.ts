import type { ContainerSpec, Mount, PublishedPort } from './container-types.ts';
import { environmentLines } from './environment.ts';
import { endpointOf } from './networks.ts';

const mebibyte = 1024 * 1024;
const defaultPidsLimit = 1024;
/** Without a limit, a verbose container fills the machine's disk. Podman accepts `json-file` as its own log driver. */
const limitedLog = { Type: 'json-file', Config: { 'max-size': '10m', 'max-file': '3' } };

const portName = ({ port, protocol }: PublishedPort): string => `${port}/${protocol ?? 'tcp'}`;

function portBindings(
  ports: readonly PublishedPort[],
): Record<string, { HostIp: string; HostPort: string }[]> {
  const bindings: Record<string, { HostIp: string; HostPort: string }[]> = {};
  for (const port of ports) {
    const binding = { HostIp: port.hostAddress ?? '', HostPort: String(port.hostPort ?? '') };
    (bindings[portName(port)] ??= []).push(binding);
  }
  return bindings;
}

function mountBody(mount: Mount) {
  switch (mount.kind) {
    case 'bind':
      return { Type: 'bind', Source: mount.source, Target: mount.target, ReadOnly: mount.readOnly ?? false };
    case 'volume':
      return {
        Type: 'volume',
        Source: mount.volume,
        Target: mount.target,
        ReadOnly: mount.readOnly ?? false,
      };
    case 'tmpfs':
      return { Type: 'tmpfs', Target: mount.target };
  }
}

const hostBody = (spec: ContainerSpec) => ({
  NetworkMode: spec.networks?.[0]?.network,
  Mounts: (spec.mounts ?? []).map(mountBody),
  PortBindings: portBindings(spec.ports ?? []),
  RestartPolicy: { Name: spec.restart ?? 'no' },
  CapAdd: spec.addCapabilities,
  CapDrop: spec.dropCapabilities,
  Memory: spec.memoryMib && spec.memoryMib * mebibyte,
  NanoCpus: spec.cpus && Math.round(spec.cpus * 1e9),
  ShmSize: spec.sharedMemoryMib && spec.sharedMemoryMib * mebibyte,
  PidsLimit: spec.pidsLimit ?? defaultPidsLimit,
  LogConfig: limitedLog,
  Init: spec.init,
  ExtraHosts: Object.entries(spec.extraHosts ?? {}).map(([name, address]) => `${name}:${address}`),
});

/** The body of `create`. Has the first network only: older engines accept no more in one request. */
export function containerBody(spec: ContainerSpec) {
  const first = spec.networks?.[0];
  return {
    Image: spec.image,
    Entrypoint: spec.entrypoint,
    Cmd: spec.command,
    Env: environmentLines(spec.environment),
    Labels: spec.labels ?? {},
    Hostname: spec.hostname,
    User: spec.user,
    WorkingDir: spec.workingDirectory,
    ExposedPorts: Object.fromEntries((spec.ports ?? []).map((port) => [portName(port), {}])),
    Healthcheck: spec.healthcheck === 'none' ? { Test: ['NONE'] } : undefined,
    HostConfig: hostBody(spec),
    NetworkingConfig: first ? { EndpointsConfig: { [first.network]: endpointOf(first) } } : undefined,
  };
}
