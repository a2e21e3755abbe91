import { expect, it } from 'vitest';
import { goldenNames, goldenRequest } from './world/golden-requests.ts';
import { Heat } from './world/heat.ts';
import { describeOnFullRig } from './world/rig.ts';

describeOnFullRig('Heat accepts the golden documents:', () => {
  it.each(goldenNames)('it validates that of model %s', async (name) => {
    const { status, body } = await (await Heat.signIn()).call(
      'POST',
      '/validate',
      goldenRequest(name, 'openstack'),
    );
    expect(body['error']).toBeUndefined();
    expect(status).toBe(200);
  });

  it.each(goldenNames)('it would make every resource of that of model %s', async (name) => {
    const { template, environment, files } = goldenRequest(name, 'openstack');
    const { parameters } = environment;
    const request = { stack_name: `golden-${name}`, template, files, parameters, timeout_mins: 30 };
    const { status, body } = await (await Heat.signIn()).call('POST', '/stacks/preview', request);
    expect(body['error']).toBeUndefined();
    expect(status).toBe(200);
  });
});
