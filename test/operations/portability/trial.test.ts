import { describe, expect, it } from 'vitest';
import { ownTurn } from '../../../src/basics/clock.ts';
import { type Problem, reject, succeed } from '../../../src/basics/problem.ts';
import { compileTemplate } from '../../../src/languages/v3-template/compile.ts';
import type { StackModel } from '../../../src/model/stack-model.ts';
import { leaveOut } from '../../../src/operations/stacks/portability/leave-out.ts';
import { rowsOf } from '../../../src/operations/stacks/portability/rows.ts';
import { tryCloud } from '../../../src/operations/stacks/portability/try-cloud.ts';
import type { Vendor } from '../../../src/vendors/vendor.ts';
import { anyCloudTemplate } from '../../vendors/any-cloud.ts';

const compiledTemplate = () => {
  const compiled = compileTemplate(anyCloudTemplate(), 'ap-northeast-1');
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  return compiled.value;
};

/** A vendor that makes nothing of what it accepts. */
const vendorRefusing = (problemsIn: (model: StackModel) => readonly Problem[]): Vendor =>
  ({
    compile: (model: StackModel) => {
      const problems = problemsIn(model);
      return problems.length > 0 ? reject(problems) : succeed({});
    },
    resources: () => [],
  }) as Partial<Vendor> as Vendor;

async function rowsOn(vendor: Vendor) {
  const { model, locate } = compiledTemplate();
  const trial = await tryCloud(vendor, model, { choose: async () => succeed(undefined), takeTurn: ownTurn });
  return rowsOf({ model, locate, trial, remarks: { default: [], at_submit: [] } });
}

describe('a vendor that refuses something', () => {
  it('what cannot be left out leaves the other members unknown', async () => {
    const rows = await rowsOn(vendorRefusing(() => [{ path: 'region', message: 'No such region.' }]));
    expect(rows.find(({ member }) => member === 'region')?.result).toBe('refused');
    const others = rows.filter(({ member }) => member !== 'region');
    expect(others.length).toBeGreaterThan(3);
    expect(new Set(others.map(({ result }) => result))).toEqual(new Set(['unknown']));
  });

  it('what can be left out leaves the other members as they are', async () => {
    const rows = await rowsOn(
      vendorRefusing(({ layers }) =>
        layers.flatMap(({ keyPair }, index) =>
          keyPair ? [{ path: `layers/${index}/keyPair`, message: 'No key pairs.' }] : [],
        ),
      ),
    );
    expect(rows.find(({ member }) => member === 'key_pair')?.result).toBe('refused');
    expect(rows.find(({ member }) => member === 'servers')?.result).toBe('maps');
  });

  it('all problems of one member are reported, each once', async () => {
    const path = 'layers/0/loadBalancer';
    const problems = ['No port 1.', 'No port 2.', 'No port 2.'].map((message) => ({ path, message }));
    const rows = await rowsOn(vendorRefusing(({ layers }) => (layers[0]?.loadBalancer ? problems : [])));
    const balancer = rows.find(({ member }) => member === 'load_balancer');
    expect(balancer?.notes.map(({ message }) => message)).toEqual(['No port 1.', 'No port 2.']);
  });
});

it('a problem of a list as a whole leaves out no member of it', () => {
  const { model } = compiledTemplate();
  const cache = { name: 'Web' } as StackModel['caches'][number];
  const full = { ...model, caches: [cache] };
  for (const list of ['layers', 'databases', 'caches'])
    for (const path of [list, `${list}/`, `${list}//instanceType`])
      expect(leaveOut(full, [{ path, message: 'No.' }])).toEqual(full);
});
