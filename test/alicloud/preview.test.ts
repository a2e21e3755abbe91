import { describe, expect, it } from 'vitest';
import type { AlicloudDocument } from '../../src/vendors/alicloud/document.ts';
import { preview } from '../../src/vendors/alicloud/preview.ts';
import { isUpdatable } from '../../src/vendors/alicloud/updatable.ts';
import type { PlannedChange } from '../../src/vendors/vendor.ts';
import { documentOf, outcomeOf } from '../vendors/alicloud/compile-world.ts';
import { models } from './world/models.ts';
import { type UpdateFinding, validator } from './world/tools.ts';

/** The vendor's table lets the block of a network change; Almanac never changes it. */
const isNetworkBlock = (type: string, member: string | undefined): boolean =>
  type === 'ALIYUN::ECS::VPC' && member === 'CidrBlock';

type Action = PlannedChange['action'];

const actionIn = (finding: UpdateFinding, type: string): Action => {
  if (finding.change === 'Add') return 'add';
  if (finding.change === 'Remove') return 'remove';
  return finding.change === 'Modify' && !isNetworkBlock(type, finding.property) ? 'change' : 'replace';
};

/** The strongest of the actions that the findings about each resource name, and the members they are about. */
function expectedIn(before: AlicloudDocument, after: AlicloudDocument) {
  const expected = new Map<string, { action: Action; members: string[] }>();
  for (const finding of validator.updateReport(before.template, after.template)) {
    const { resource, property } = finding;
    const type = after.template.Resources[resource]?.Type ?? '';
    const { action, members = [] } = expected.get(resource) ?? {};
    expected.set(resource, {
      action: action === 'replace' ? action : actionIn(finding, type),
      members: property === undefined ? members : [...members, property],
    });
  }
  return expected;
}

/** Where the preview differs from the tables. It may know more: a resource is replaced with one to which it refers. */
function disagreements(before: AlicloudDocument, after: AlicloudDocument): string[] {
  const changes = new Map(preview(before, after).map((change) => [change.resource, change]));
  const expected = expectedIn(before, after);
  const isReplaced = [...changes.values()].some(({ action }) => action === 'replace');
  const wrong = [...expected].flatMap(([resource, { action, members }]) => {
    const change = changes.get(resource);
    const found = new Set(change?.members.map((member) => member.split('/')[0]));
    const isFollowed = change?.action === 'replace' && isReplaced;
    const isRight = (change?.action === action || isFollowed) && members.every((member) => found.has(member));
    return isRight ? [] : [`${resource}: ${change?.action}, expected ${action} of ${members.join(' ')}`];
  });
  const unknown = [...changes.keys()].filter((resource) => !expected.has(resource) && !isReplaced);
  return [...wrong, ...unknown];
}

/** Every update between two of the templates, except those that Almanac refuses before. */
function* updates(): Generator<[string, AlicloudDocument, AlicloudDocument]> {
  for (const [one, first] of Object.entries(models)) {
    const before = documentOf(first);
    for (const [other, second] of Object.entries(models)) {
      const model = { ...second, region: first.region };
      const after = outcomeOf(model, { kept: before.choices });
      if (one !== other && after.ok) yield [`${one} → ${other}`, before, after.value];
    }
  }
}

describe('the preview of an update agrees with the specification of the vendor', () => {
  it('in every update between two of the templates', () => {
    const all = [...updates()];
    const wrong = all.flatMap(([name, before, after]) =>
      disagreements(before, after).map((each) => `${name}: ${each}`),
    );
    expect(wrong).toEqual([]);
    expect(all.length).toBeGreaterThan(600);
  });

  it('in every member that a template has: what is newer than the specification is not updatable', () => {
    const resources = Object.values(models).flatMap((model) =>
      Object.values(documentOf(model).template.Resources),
    );
    const members = resources.flatMap(({ Type, Properties }) =>
      Object.keys(Properties).map((member) => ({ Type, member })),
    );
    const isAllowed = (type: string, member: string): boolean =>
      (validator.OLD[type]?.Properties[member]?.UpdateAllowed ?? false) && !isNetworkBlock(type, member);
    const wrong = members.filter(({ Type, member }) => isUpdatable(Type, member) !== isAllowed(Type, member));
    expect(wrong).toEqual([]);
    expect(new Set(members.map(({ Type }) => Type)).size).toBe(25);
  });
});
