import { describe, expect, it } from 'vitest';
import { documentOf } from '../vendors/alicloud/compile-world.ts';
import { models } from './world/models.ts';
import { findingsIn, vendorCheck } from './world/tools.ts';

const templates = Object.fromEntries(
  Object.entries(models).map(([name, model]) => [name, documentOf(model).template]),
);

describe('every compiled template', () => {
  it.each(Object.entries(templates))(
    'has no error and no warning by the tables of the vendor: %s',
    (_, template) => {
      expect(findingsIn(template)).toEqual([]);
    },
  );

  it("has no error and no warning by the vendor's own checker", () => {
    const lines = vendorCheck(templates);
    expect(lines).toHaveLength(Object.keys(templates).length);
    expect(lines.filter((line) => !/^ok {3}\S+ 0 errors, 0 warnings$/.test(line))).toEqual([]);
  });
});

describe('the tools', () => {
  it('find a wrong member and a wrong reference, so that their silence means something', () => {
    const template = structuredClone(templates['a database']!);
    Object.assign(template.Resources['Databaseapp']!.Properties, { Clas: 'x', VpcId: { Ref: 'Nothing' } });
    expect(findingsIn(template).map((line) => line.split(' ')[0])).toEqual(['REF', 'PROP']);
    expect(vendorCheck({ wrong: template })[0]).toMatch(/^FAIL \S+ 1 errors/);
  });
});
