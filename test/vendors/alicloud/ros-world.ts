import { VirtualClock } from '../../../src/basics/clock.ts';
import { Secret } from '../../../src/basics/secret.ts';
import type { StackModel } from '../../../src/model/stack-model.ts';
import { apply } from '../../../src/vendors/alicloud/act/apply.ts';
import type { Clients } from '../../../src/vendors/alicloud/clients.ts';
import type { AlicloudDocument } from '../../../src/vendors/alicloud/document.ts';
import { CloudError } from '../../../src/vendors/alicloud/errors.ts';
import { makeRegion, type Region } from '../../../src/vendors/alicloud/region.ts';
import type { StackOnVendor } from '../../../src/vendors/vendor.ts';
import { documentOf } from './compile-world.ts';

export const stack: StackOnVendor = { id: 'mo-1', accountId: 'account', region: 'ap-northeast-1' };

type Reply = (query: Readonly<Record<string, unknown>>) => unknown;
export type Replies = Readonly<Record<string, Reply>>;

/** A rejection by the cloud with this code. */
export const reject =
  (code: string): Reply =>
  () => {
    throw new CloudError(code, 'canned');
  };

/** A row of the list of stacks. */
export const row = (status: string, tried?: string): object => ({
  StackId: 'ros-1',
  StackName: `alm-${stack.id}`,
  Status: status,
  CreateTime: '2026-01-01T00:00:00',
  UpdateTime: '2026-01-02T00:00:00',
  Tags: tried === undefined ? [] : [{ Key: 'almanac:tried', Value: `${tried}@00000000` }],
});
export const listed =
  (...rows: object[]): Reply =>
  () => ({ Stacks: rows, TotalCount: rows.length });

/** Events as ROS lists them; given oldest first. The stack itself is `ros-1`. */
export const events =
  (...happened: [resource: string, status: string][]): Reply =>
  () => ({
    Events: happened
      .map(([resource, Status], index) => ({
        EventId: String(index),
        LogicalResourceId: resource,
        PhysicalResourceId: resource === 'stack' ? 'ros-1' : `${resource}-id`,
        Status,
      }))
      .toReversed(),
    TotalCount: happened.length,
  });

/** A region whose services give canned replies by action, and nothing for others. */
export function regionWith(replies: Replies): Region & { sent: string[]; clock: VirtualClock } {
  const sent: string[] = [];
  const clients: Clients = {
    region: stack.region,
    call: async <T>({ action, query = {} }: { action: string; query?: object }): Promise<T> => {
      sent.push(action);
      return (replies[action]?.({ ...query }) ?? {}) as T;
    },
  };
  const clock = new VirtualClock(Date.UTC(2026, 0, 3));
  return { ...makeRegion({ clients, clock, role: null, pollMs: 1000 }), clock, sent };
}

export const template = ({ template: body }: AlicloudDocument): Reply => {
  return () => ({ TemplateBody: JSON.stringify(body) });
};

export const applyModel = (region: Region, model: StackModel | AlicloudDocument, version = 'v2') =>
  apply(region, stack, {
    document: 'template' in model ? model : documentOf(model),
    version,
    agentToken: new Secret('token'),
    databasePassword: new Secret('password'),
  });
