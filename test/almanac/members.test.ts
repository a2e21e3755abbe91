import { existsSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { v2Explanations, v3Explanations } from '../../src/almanac/members/explanations.ts';
import { documentedMembers, membersPage } from '../../src/almanac/members/page.ts';

const file = new URL('../../docs/vendors/aws-members.md', import.meta.url);

let members: ReturnType<typeof documentedMembers>;
beforeAll(() => {
  members = documentedMembers();
});

const of = (language: keyof typeof members, path: string) =>
  members[language].find((member) => member.path === path)?.effects;

describe('the table of members and AWS properties', () => {
  it('has an effect for every member of both languages, or says why there is none', () => {
    const unexplained = Object.values(members)
      .flat()
      .filter(({ explanation }) => explanation === undefined);
    // Add a value to src/almanac/members/bases.ts with which the member has an effect, or a reason to explanations.ts.
    expect(unexplained.map(({ path }) => path)).toEqual([]);
    expect(members.v3.length).toBeGreaterThan(90);
    expect(members.v2.length).toBeGreaterThan(30);
  });

  it('has no reason that fits no member', () => {
    for (const [language, explanations] of [
      ['v3', v3Explanations],
      ['v2', v2Explanations],
    ] as const)
      for (const [pattern] of explanations)
        expect(members[language].some(({ path }) => pattern.test(path))).toBe(true);
  });

  it('is what docs/vendors/aws-members.md says (npm run docs)', () => {
    expect(existsSync(file) && readFileSync(file, 'utf8') === membersPage(members)).toBe(true);
  });

  it('names the properties that a member changes, and the resources that it creates', () => {
    expect(of('v3', 'configurations/*/provision/rds/storage')).toEqual(
      new Map([['AWS::RDS::DBInstance', new Set(['AllocatedStorage'])]]),
    );
    expect(of('v3', 'configurations/*/provision/subnet/public')?.get('AWS::EC2::NatGateway')).toContain('');
    expect(of('v2', 'configurations/type')?.get('AWS::EC2::LaunchTemplate')).toContain(
      'LaunchTemplateData/InstanceType',
    );
  });
});
