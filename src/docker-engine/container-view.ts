import type { Container, ContainerDetails, ContainerState, Labels } from './container-types.ts';
import { environmentFrom } from './environment.ts';

type RawNetworks = Readonly<
  Record<string, { IPAddress?: string; IPAMConfig?: { IPv4Address?: string } | null }>
>;

export interface RawListed {
  Id: string;
  Names: readonly string[];
  Image: string;
  ImageID: string;
  Labels: Labels | null;
  State: string;
  /** Seconds. */
  Created: number;
  NetworkSettings?: { Networks?: RawNetworks | null };
  Ports: readonly { IP?: string; PrivatePort: number; PublicPort?: number; Type: string }[] | null;
}

export interface RawInspected {
  Id: string;
  Name: string;
  Image: string;
  Created: string;
  RestartCount: number;
  Config: { Image: string; Labels: Labels | null; Env: readonly string[] | null };
  State: {
    Status: string;
    ExitCode: number;
    OOMKilled: boolean;
    Error: string;
    StartedAt: string;
    FinishedAt: string;
    Health?: { Status: string } | null;
  };
  NetworkSettings: {
    Networks?: RawNetworks | null;
    Ports?: Readonly<Record<string, readonly { HostIp: string; HostPort: string }[] | null>> | null;
  };
  Mounts: readonly { Type: string; Name?: string; Source: string; Destination: string; RW: boolean }[] | null;
}

/** Podman's names for states, where they differ. */
const dockerStates: Readonly<Record<string, ContainerState>> = {
  configured: 'created',
  initialized: 'created',
  stopping: 'running',
  stopped: 'exited',
  unknown: 'dead',
};

const stateFrom = (name: string): ContainerState => dockerStates[name] ?? (name as ContainerState);

const networksFrom = (raw: RawNetworks | null | undefined): Container['networks'] =>
  Object.entries(raw ?? {}).map(([network, { IPAddress, IPAMConfig }]) => ({
    network,
    address: IPAddress || IPAMConfig?.IPv4Address || '',
  }));

const bareName = (name: string | undefined): string => (name ?? '').replace(/^\//, '');
/** Podman omits the algorithm in lists. */
const fullId = (id: string): string => (id === '' || id.includes(':') ? id : `sha256:${id}`);

export const listedFrom = (raw: RawListed): Container => ({
  id: raw.Id,
  name: bareName(raw.Names[0]),
  image: raw.Image,
  imageId: fullId(raw.ImageID),
  labels: raw.Labels ?? {},
  state: stateFrom(raw.State),
  createdAt: raw.Created * 1000,
  networks: networksFrom(raw.NetworkSettings?.Networks),
  ports: (raw.Ports ?? []).flatMap(({ IP, PrivatePort, PublicPort, Type }) =>
    PublicPort ? [{ port: PrivatePort, protocol: Type, hostAddress: IP ?? '', hostPort: PublicPort }] : [],
  ),
});

/** Engines write year 1 for "never". */
const timeFrom = (text: string): number | null => {
  const time = Date.parse(text);
  return time > 0 ? time : null;
};

const portsFrom = (raw: RawInspected['NetworkSettings']['Ports']): Container['ports'] =>
  Object.entries(raw ?? {}).flatMap(([name, bindings]) => {
    const [port, protocol = 'tcp'] = name.split('/');
    return (bindings ?? []).map(({ HostIp, HostPort }) => ({
      port: Number(port),
      protocol,
      hostAddress: HostIp,
      hostPort: Number(HostPort),
    }));
  });

function healthFrom(status: string | undefined): ContainerDetails['health'] {
  return status === 'starting' || status === 'healthy' || status === 'unhealthy' ? status : null;
}

function runFrom({ State: state }: RawInspected) {
  const ended = state.Status !== 'running' && timeFrom(state.FinishedAt) !== null;
  return {
    exitCode: ended ? state.ExitCode : null,
    outOfMemory: state.OOMKilled,
    error: state.Error,
    startedAt: timeFrom(state.StartedAt),
    finishedAt: timeFrom(state.FinishedAt),
    health: healthFrom(state.Health?.Status),
  };
}

export const inspectedFrom = (raw: RawInspected): ContainerDetails => ({
  id: raw.Id,
  name: bareName(raw.Name),
  image: raw.Config.Image,
  imageId: fullId(raw.Image),
  labels: raw.Config.Labels ?? {},
  state: stateFrom(raw.State.Status),
  createdAt: Date.parse(raw.Created),
  networks: networksFrom(raw.NetworkSettings.Networks),
  ports: portsFrom(raw.NetworkSettings.Ports),
  environment: environmentFrom(raw.Config.Env),
  restartCount: raw.RestartCount,
  ...runFrom(raw),
  mounts: (raw.Mounts ?? []).map(({ Type, Name, Source, Destination, RW }) => ({
    kind: Type,
    source: Name || Source,
    target: Destination,
    readOnly: !RW,
  })),
});
