import { describe, expect, it } from 'vitest';
import { remove } from '../../../src/vendors/alicloud/act/remove.ts';
import { observe } from '../../../src/vendors/alicloud/observe.ts';
import type { Release } from '../../../src/vendors/data.ts';
import { accepted, Unreachable } from '../../../src/vendors/vendor.ts';
import { fixedServers, sampleDatabase, sampleGroup, sampleModel } from '../sample-model.ts';
import { documentOf, withResource } from './compile-world.ts';
import { applyModel, listed, type Replies, regionWith, reject, row, stack, template } from './ros-world.ts';

const before = documentOf(fixedServers(1));
const standing: Replies = {
  ListStacks: listed(row('CREATE_COMPLETE')),
  GetStack: () => ({ Parameters: [{ ParameterKey: 'AlmanacVersion', ParameterValue: 'v1' }] }),
  GetTemplate: template(before),
};
const removal = (replies: Replies, releases: readonly Release[] = []) => {
  const region = regionWith({ ...standing, ...replies });
  return { region, answer: remove(region, stack, { releases, intent: 'delete 1' }) };
};

describe('a request about a stack', () => {
  it.each(['ResourceTypeNotFound', 'EntityNotExist.Role'])(
    'is refused if the cloud misses another thing than the stack: %s',
    async (code) => {
      const region = regionWith({ ...standing, UpdateStack: reject(code) });
      expect(await applyModel(region, fixedServers(2))).toMatchObject({ accepted: false });
    },
  );

  it.each(['InvalidAction.NotFound', 'EntityNotExist.Role'])(
    'does not delete the secrets of a stack whose deletion did not start: %s',
    async (code) => {
      const { region, answer } = removal({ DeleteStack: reject(code) });
      expect(await answer).toMatchObject({ accepted: false });
      expect(region.sent).not.toContain('DeleteSecretParameter');
    },
  );

  it('deletes the secrets of a stack that is gone', async () => {
    const { region, answer } = removal({ DeleteStack: reject('StackNotFound') });
    expect(await answer).toEqual(accepted);
    expect(region.sent).toContain('DeleteSecretParameter');
  });

  const moments = ['GetTemplate', 'TagResources', 'UpdateStack'].flatMap((action) =>
    ['ActionInProgress', 'StackNotFound'].map((code): [string, string] => [action, code]),
  );
  it.each(moments)('is repeated, not refused, if the stack changes before %s (%s)', async (action, code) => {
    const region = regionWith({ ...standing, [action]: reject(code) });
    expect(await applyModel(region, fixedServers(2))).toEqual(accepted);
  });

  it('is repeated, not refused, if the stack is gone before its data is listed, and keeps the secrets', async () => {
    const { region, answer } = removal({ ListStackResources: reject('StackNotFound') });
    expect(await answer).toEqual(accepted);
    expect(region.sent).not.toContain('DeleteSecretParameter');
  });

  it('is refused if it replaces a database by a thing of a type that may be replaced', async () => {
    const withDatabase = documentOf(sampleModel({ databases: [sampleDatabase()] }));
    const listener = { Type: 'ALIYUN::SLB::Listener', Properties: { ListenerPort: 80 } } as const;
    const after = withResource(withDatabase, 'Databaseapp', listener);
    const region = regionWith({ ...standing, GetTemplate: template(withDatabase) });
    expect(await applyModel(region, after)).toMatchObject({ accepted: false });
    expect(region.sent).not.toContain('UpdateStack');
  });
});

describe('an update that may replace something', () => {
  const group = sampleGroup(1, 0);
  const [listener] = group.loadBalancer!.listeners;
  const modelWith = (instancePort: number, databases = [sampleDatabase()]) => {
    const loadBalancer = { ...group.loadBalancer!, listeners: [{ ...listener!, instancePort }] };
    return sampleModel({ layers: [{ ...group, loadBalancer }], databases });
  };
  const forecast = (...rows: object[]): Replies => ({ PreviewStack: () => ({ Stack: { Resources: rows } }) });
  const database = { LogicalResourceId: 'Databaseapp', ResourceType: 'ALIYUN::RDS::DBInstance' };
  const after = (replies: Replies, model = modelWith(80)) =>
    regionWith({ ...standing, GetTemplate: template(documentOf(model)), ...replies });

  it.each(['True', 'Conditional', 'Perhaps', undefined])(
    'is refused unless ROS says that it changes a database in place (Replacement: %s), whatever the table of Almanac says',
    async (Replacement) => {
      const region = after(forecast({ ...database, Action: 'Modify', Replacement }));
      expect(await applyModel(region, modelWith(8080))).toEqual({
        accepted: false,
        reason:
          'By the forecast of ROS, this update may replace Databaseapp, and its data would be lost. The update was not started. ' +
          'Leave out what replaces other resources: Listener80OfWeb0.',
      });
      expect(region.sent).not.toContain('UpdateStack');
    },
  );

  it('is refused if ROS does not forecast it, while a database is in the stack', async () => {
    const region = after({ PreviewStack: reject('StackValidationFailed') });
    expect(await applyModel(region, modelWith(8080))).toMatchObject({ accepted: false });
    expect(region.sent).not.toContain('UpdateStack');
  });

  it.each([{}, { Stack: {} }])(
    'is refused if the forecast has no list of resources (%j), while a database is in the stack',
    async (reply) => {
      const region = after({ PreviewStack: () => reply });
      expect(await applyModel(region, modelWith(8080))).toEqual({
        accepted: false,
        reason:
          'ROS did not say what this update would replace, and the stack has data. The update was not started. ' +
          'Try again, or leave out what replaces other resources: Listener80OfWeb0.',
      });
      expect(region.sent).not.toContain('UpdateStack');
    },
  );

  it('starts if ROS changes the database in place, or the update removes it', async () => {
    const changed = after(forecast({ ...database, Action: 'Modify', Replacement: 'False' }));
    expect(await applyModel(changed, modelWith(8080))).toEqual(accepted);
    const removed = after(forecast({ ...database, Action: 'Remove', Replacement: 'True' }));
    expect(await applyModel(removed, modelWith(8080, []))).toEqual(accepted);
    for (const { sent } of [changed, removed]) expect(sent).toContain('UpdateStack');
  });

  it('needs no forecast without data, and none if nothing is replaced', async () => {
    const empty = after({}, modelWith(80, []));
    expect(await applyModel(empty, modelWith(8080, []))).toEqual(accepted);
    const same = after({});
    expect(await applyModel(same, modelWith(80))).toEqual(accepted);
    for (const { sent } of [empty, same]) {
      expect(sent).toContain('UpdateStack');
      expect(sent).not.toContain('PreviewStack');
    }
  });
});

describe('observing a stack', () => {
  it('that vanishes while it is read says nothing about it, and remembers nothing', async () => {
    const region = regionWith({ ...standing, GetStack: reject('StackNotFound') });
    await expect(observe(region, stack)).rejects.toThrow(Unreachable);
    expect(region.details.get(stack.id)).toBeUndefined();
  });

  it.each(['CHECK_FAILED', 'IMPORT_UPDATE_FAILED', 'IMPORT_CREATE_ROLLBACK_COMPLETE'])(
    'whose check or import has ended in %s finds it broken, and an update starts',
    async (status) => {
      const region = regionWith({ ...standing, ListStacks: listed(row(status)) });
      expect(await observe(region, stack)).toMatchObject({ kind: 'broken', doing: 'apply' });
      await applyModel(region, fixedServers(2));
      expect(region.sent).toContain('UpdateStack');
    },
  );

  it('that a list has missed, because others were deleted between its pages, finds it by name', async () => {
    const all = row('CREATE_COMPLETE');
    const region = regionWith({
      ...standing,
      ListStacks: ({ StackName }) => listed(...(StackName ? [all] : []))({}),
    });
    expect(await observe(region, stack)).toMatchObject({ kind: 'settled', version: 'v1' });
    await remove(region, stack, { releases: [], intent: 'delete 1' });
    expect(region.sent).toContain('DeleteStack');
  });

  it('in an unknown operation waits', async () => {
    const region = regionWith({ ...standing, ListStacks: listed(row('MOVE_IN_PROGRESS')) });
    expect(await observe(region, stack)).toMatchObject({ kind: 'busy' });
  });
});
