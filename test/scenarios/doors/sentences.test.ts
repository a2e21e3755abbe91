import { beforeEach, describe, expect, it } from 'vitest';
import { previewUpdate } from '../../../src/operations/stacks/read/preview-template.ts';
import { written } from '../../world.ts';
import { inCloud, messagesOf, rds, settled, storesIn, template, update, useLives, world } from './lives.ts';

useLives();

describe('door 8: preview, refusal, answer and event', () => {
  it('say the same sentence about the same store', async () => {
    const stackId = await settled(template({ rds }));
    const preview = await previewUpdate(world.service, world.actor, {
      stackId,
      template: written(template()),
    });
    const [store] = preview.data;
    const sentence = store?.sentence ?? '';
    expect(sentence).toMatch(
      /^DatabaseInstance DatabaseInstanceweb0 \(db-\w+\) is removed. Its data is kept: /,
    );
    expect(preview.warnings).toContain(sentence);
    await expect(update(stackId, template())).rejects.toMatchObject({
      message: `The update removes data. ${sentence}`,
      stores: [{ sentence }],
    });
    await update(stackId, template(), { data: 'keep' });
    expect(await messagesOf(stackId)).toContain(sentence);
  });
});

describe('door 9: the advice of a refusal where the vendor keeps nothing', () => {
  beforeEach(() => {
    Object.assign(world.service.vendors.get('sandbox') ?? {}, { keptAs: () => '' });
  });

  it('never offers data=keep, and what it offers works', async () => {
    const stackId = await settled(template({ rds }));
    for (const word of [{}, { data: 'keep' } as const])
      await expect(update(stackId, template(), word)).rejects.toMatchObject({
        message: expect.stringContaining('Its data is lost: this vendor cannot keep it.'),
        description: expect.not.stringContaining('data=keep'),
        stores: [{ confirm: ['data=delete'] }],
      });
    await update(stackId, template(), { data: 'delete' });
    await world.settle();
    expect((await world.describe(stackId)).status).toBe('UPDATE_COMPLETE');
    expect(await inCloud(stackId, 'DatabaseInstance')).toEqual([]);
  });
});

describe('events', () => {
  it('carry the version that the vendor worked on, not the newest wish', async () => {
    const stackId = await settled(template());
    const { versionId: second } = await update(stackId, template({ servers: 3 }));
    await world.worker('one').runDue();
    const { versionId: third } = await update(stackId, template({ servers: 4 }));
    await world.settle();
    const events = await world.database.query
      .selectFrom('events')
      .selectAll()
      .where('stack_id', '=', stackId)
      .where('kind', '=', 'resource')
      .execute();
    const made = (name: string) =>
      events.find(({ resource, status }) => resource === name && status === 'CREATE_COMPLETE');
    expect(made('Instanceweb0-2')?.version_id).toBe(second);
    expect(made('Instanceweb0-3')?.version_id).toBe(third);
  });
});

describe('releases per store', () => {
  it('keep one and delete another', async () => {
    const { configurations, ...rest } = template({ rds });
    const cache = { engine: 'redis', node_type: 'cache.t2.micro' };
    const [layer] = configurations;
    const both = {
      ...rest,
      configurations: [{ ...layer, provision: { ...layer?.provision, elasticache: cache } }],
    };
    const stackId = await settled(both);
    await update(stackId, template(), { data: { DatabaseInstanceweb0: 'keep', CacheClusterweb0: 'delete' } });
    await world.settle();
    expect(await storesIn(stackId, 'database')).toMatchObject([{ state: 'kept' }]);
    expect(await storesIn(stackId, 'cache')).toMatchObject([{ state: 'gone' }]);
  });
});
