import type { Connection } from './connection.ts';
import type { Labels } from './container-types.ts';
import { labelQuery } from './labels.ts';
import type { ContainerEvent, EngineVersion, System } from './types.ts';

interface RawVersion {
  Version: string;
  ApiVersion: string;
  Arch: string;
  Components?: readonly { Name: string }[];
}

interface RawEvent {
  Action: string;
  Actor: { ID: string; Attributes: Labels };
  timeNano: number;
}

const versionFrom = (raw: RawVersion): EngineVersion => ({
  kind: raw.Components?.some(({ Name }) => /podman/i.test(Name)) ? 'podman' : 'docker',
  version: raw.Version,
  apiVersion: raw.ApiVersion,
  architecture: raw.Arch,
});

/** Podman's names for actions, where they differ. */
const dockerActions: Readonly<Record<string, string>> = { remove: 'destroy', died: 'die' };

const eventFrom = ({ Action, Actor, timeNano }: RawEvent): ContainerEvent => ({
  at: Math.floor(timeNano / 1e6),
  action: dockerActions[Action] ?? Action,
  containerId: Actor.ID,
  labels: Actor.Attributes,
});

export const systemCalls = (connection: Connection): System => ({
  ping: async () => void (await connection.bytes({ method: 'GET', path: '/_ping' })),
  version: async () => versionFrom(await connection.json<RawVersion>({ method: 'GET', path: '/version' })),
  async *events(labels, signal) {
    const query = labelQuery(labels, { type: ['container'] });
    try {
      const call = { method: 'GET', path: '/events', query, idleTimeoutMs: 0, signal } as const;
      for await (const raw of connection.lines<RawEvent>(call)) yield eventFrom(raw);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  },
});
