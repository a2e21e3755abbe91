import { fixedServers } from '../../vendors/sample-model.ts';
import { databaseModel } from './full-model.ts';
import { make, type Subject } from './made-stacks.ts';
import { agentToken } from './world.ts';

/** Cancels an update that the overlay holds open until then. The stack must end as it was. */
export async function cancelInProgress({ user, admin }: Subject): Promise<unknown> {
  const { stack } = await make(admin, fixedServers(1));
  const faults = `${admin.cloud.url}/motoplus/faults`;
  const slow = { on: 'resource', phase: 'create', logical: '^Instance1Of', sleep: 60 };
  await fetch(faults, { method: 'POST', body: JSON.stringify(slow) });
  const document = await admin.compiled(stack, fixedServers(2));
  await admin.driver.apply(stack, { document, version: 'v2', agentToken });
  try {
    const answer = await user.driver.cancelUpdate(stack, 'v2');
    if (!answer.cancelled) return answer;
  } finally {
    await fetch(faults, { method: 'DELETE' });
    await admin.passAll();
  }
  const seen = await admin.driver.observe(stack);
  const servers = seen.kind === 'unreachable' ? 0 : seen.view.instances.length;
  return { cancelled: servers === 1, reason: `${servers} servers after the cancellation` };
}

/** Removes a stack with all its data: that changes the policies of its databases first, and takes several calls. */
export async function removeWithData({ user, admin }: Subject): Promise<unknown> {
  const { stack } = await make(admin, databaseModel);
  const releases = await admin.releases(stack, 'delete');
  for (let pass = 0; pass < 5; pass += 1) {
    const answer = await user.driver.remove(stack, { releases, intent: 'delete 1' });
    if (!answer.accepted) return answer;
    await admin.passAll();
    if ((await admin.driver.observe(stack)).kind === 'absent') return answer;
  }
  return { accepted: false, reason: 'The stack is still there.' };
}

/** Grows the disk of a server, which takes a call after the update. */
export async function growDisk({ user, admin }: Subject): Promise<unknown> {
  const { stack, document: before } = await make(admin, fixedServers(1));
  const model = fixedServers(1);
  const layers = model.layers.map((layer) => ({ ...layer, volume: { ...layer.volume, sizeGib: 100 } }));
  const document = await admin.compiled(stack, { ...model, layers }, before);
  await admin.driver.apply(stack, { document, version: 'v2', agentToken });
  await admin.passAll();
  const answer = await user.driver.apply(stack, { document, version: 'v2', agentToken });
  if (!answer.accepted) return answer;
  const { kind } = await user.driver.observe(stack);
  return { accepted: kind === 'settled', reason: `The stack is ${kind} after its disk was grown.` };
}
