import { expect, it } from 'vitest';
import { at } from '../../../src/basics/problem.ts';
import { origins } from '../../../src/languages/v3-template/origins.ts';
import { template } from '../../../src/languages/v3-template/schema.ts';
import { stackModel } from '../../../src/model/stack-model.ts';

interface Schema {
  properties?: Readonly<Record<string, Schema>>;
  items?: Schema;
  anyOf?: readonly Schema[];
}

/** The paths of all members that a schema describes; `*`: any entry of a list. */
const membersOf = ({ properties = {}, items, anyOf = [] }: Schema, path = ''): string[] => [
  ...Object.entries(properties).flatMap(([name, member]) =>
    [at(path, name)].concat(membersOf(member, at(path, name))),
  ),
  ...(items ? [at(path, '*'), ...membersOf(items, at(path, '*'))] : []),
  ...anyOf.flatMap((one) => membersOf(one, path)),
];

/** Places are in the section of the vendor. The kind of capacity follows from the members that are set; entries of a list of texts are within one text. */
const derived = /^region$|^vendorOptions|\/capacity\/kind$|(subnetsOf|securityGroupsOf)\/\*$/;

it('every member of the model is made from members that a template can have', () => {
  const written = new Set(membersOf(template as Schema));
  const members = membersOf(stackModel as Schema).filter((member) => !derived.test(member));
  expect(members.length).toBeGreaterThan(80);
  expect(members.filter((member) => !Object.hasOwn(origins, member))).toEqual([]);
  expect(
    Object.values(origins)
      .flat()
      .filter((origin) => !written.has(origin)),
  ).toEqual([]);
});
