import { describe, expect, it } from 'vitest';
import { contentIn, inCloud, local, settled, template, update, useLives, world } from './lives.ts';

useLives();

describe('door 3: the disk of a fixed server', () => {
  it.each([
    ['another image', { image: 'ami-0123456789abcdef0' }],
    ['another type', { instance_type: 't2.large' }],
    ['no key pair', { keypair: false }],
  ])('is replaced for %s only with servers=replace, on updates', async (_, provision) => {
    const stackId = await settled(template());
    const [before] = await inCloud(stackId, 'Instance');
    await expect(update(stackId, template({ provision }))).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringMatching(
        /Instance \S+ \(i-\w+\) is replaced by a new one. What is only on its disk is lost./,
      ),
      description: expect.stringContaining('?servers=replace'),
    });
    expect((await inCloud(stackId, 'Instance')).map(({ id }) => id)).toEqual([before?.id]);
    await update(stackId, template({ provision }), { servers: 'replace' });
    await world.settle();
    expect((await inCloud(stackId, 'Instance')).map(({ id }) => id)).not.toEqual([before?.id]);
  });

  it('grows in place, without a question', async () => {
    const stackId = await settled(template({ provision: { volume_size: 30 } }));
    const [before] = await inCloud(stackId, 'Instance');
    await update(stackId, template({ provision: { volume_size: 31 } }));
    await world.settle();
    const [after] = await inCloud(stackId, 'Instance');
    expect(after?.id).toBe(before?.id);
    expect(after?.properties['volume']).toMatchObject({ sizeGib: 31 });
  });

  it('goes with its stack only with servers=replace', async () => {
    const stackId = await settled(template());
    await expect(world.delete(stackId, {})).rejects.toMatchObject({
      message: expect.stringMatching(
        /^The deletion removes data. Instance .*What is only on its disk is lost.$/,
      ),
    });
    await world.delete(stackId, { servers: 'replace' });
  });
});

describe('door 4: persistent files of a fixed server', () => {
  it('are the same after the server was replaced', async () => {
    const stackId = await settled(template({ container: local }));
    const before = await contentIn(stackId, 'Volume');
    const [server] = await inCloud(stackId, 'Instance');
    expect(before).toHaveLength(1);
    const word = { servers: 'replace' } as const;
    await update(stackId, template({ container: local, provision: { instance_type: 't2.large' } }), word);
    await world.settle();
    expect((await inCloud(stackId, 'Instance'))[0]?.id).not.toBe(server?.id);
    expect(await contentIn(stackId, 'Volume')).toEqual(before);
  });

  it('are data: an update that removes them asks', async () => {
    const stackId = await settled(template({ container: local }));
    const next = template({ container: { container_image: 'shop/web' } });
    await expect(update(stackId, next, { servers: 'replace' })).rejects.toMatchObject({
      stores: [{ kind: 'files', confirm: ['data=keep', 'data=delete'] }],
    });
  });
});
