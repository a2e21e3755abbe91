import { afterEach, expect, it } from 'vitest';
import { goldenRequest, withoutKeyManager } from './world/golden-requests.ts';
import { Heat, slowly } from './world/heat.ts';
import { type OwnProject, ownProject } from './world/own-project.ts';
import { describeOnFullRig } from './world/rig.ts';

const made: { heat: Heat; path: string }[] = [];
const projects: OwnProject[] = [];
afterEach(async () => {
  for (const { heat, path } of made.splice(0)) await heat.remove(path);
  for (const project of projects.splice(0)) await project.remove();
});

const names = ['single-server', 'v2-balanced', 'private-network'];

describeOnFullRig('a golden document is made by Heat in a new project:', () => {
  it.each(names)('every resource of that of model %s', async (name) => {
    const project = await ownProject(['member', 'load-balancer_member']);
    projects.push(project);
    const heat = await Heat.signIn(project.user);
    const path = await heat.create(`golden-${name}`, withoutKeyManager(goldenRequest(name, 'openstack')));
    made.push({ heat, path });
    await expect
      .poll(async () => {
        await heat.answerHandles(path);
        return heat.statusOf(path);
      }, slowly)
      .not.toMatch(/IN_PROGRESS/);
    expect(await heat.reasonOf(path)).toBe('Stack CREATE completed successfully');
    const outputs = await heat.outputsOf(path);
    expect(outputs.map(({ output_error: error }) => error).filter(Boolean)).toEqual([]);
    for (const { output_value: value } of outputs) expect(value).not.toBe('');
  });
});
