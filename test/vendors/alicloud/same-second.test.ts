import { describe, expect, it } from 'vitest';
import { versionParameter } from '../../../src/vendors/alicloud/document.ts';
import { observe } from '../../../src/vendors/alicloud/observe.ts';
import { fixedServers } from '../sample-model.ts';
import { documentOf } from './compile-world.ts';
import { applyModel, regionWith, row, stack, template } from './ros-world.ts';

const document = documentOf(fixedServers(1));

/** Updates that are complete at once, and begin in the same second: ROS says no more about when. */
function quickRos() {
  let version = 'v1';
  let tags: unknown[] = [];
  return regionWith({
    ListStacks: () => ({ Stacks: [{ ...row('UPDATE_COMPLETE'), Tags: tags }], TotalCount: 1 }),
    GetStack: () => ({ Parameters: [{ ParameterKey: versionParameter, ParameterValue: version }] }),
    GetTemplate: template(document),
    TagResources: ({ Tag }) => {
      tags = Tag as unknown[];
    },
    UpdateStack: ({ Parameters }) => {
      version = (Parameters as { ParameterValue: string }[])[0]!.ParameterValue;
    },
  });
}

describe('two updates of a stack in the same second', () => {
  it('settles at the version of the second one, which is asked for once', async () => {
    const region = quickRos();
    expect(await observe(region, stack)).toMatchObject({ kind: 'settled', version: 'v1' });
    for (let passes = 0; passes < 3; passes += 1) {
      await applyModel(region, document, 'v2');
      region.clock.advance(60_000);
      await observe(region, stack);
    }
    expect(await observe(region, stack)).toMatchObject({ kind: 'settled', version: 'v2' });
    expect(region.sent.filter((action) => action === 'UpdateStack')).toHaveLength(1);
  });
});
