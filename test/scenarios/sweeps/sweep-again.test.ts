import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { World } from '../../world.ts';
import { counted, withSurvey } from './watched-tools.ts';

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());

const sweptOf = async (stack: string) => (await world.row(stack)).swept;

/** A complete stack that a sweep has seen, and a pass after that. */
const resting = async (): Promise<string> => {
  const stack = await world.create();
  await world.settle();
  await world.advance(302);
  return stack;
};

describe('a sweep', () => {
  it('that keeps failing wakes the stacks again and again, because nothing else looks at them', async () => {
    const stack = await resting();
    const { counts, tools } = counted(
      withSurvey(world.tools, (survey) => ({
        ...survey,
        look: async () => {
          throw new Error('a bug');
        },
      })),
    );
    await world.advance(3600, world.worker('failing', tools));
    expect(world.errors.splice(0).length).toBeGreaterThan(20);
    expect(counts.passes).toBeGreaterThanOrEqual(3);
    expect((await world.describe(stack)).status).toBe('CREATE_COMPLETE');
  });

  it('notices that a stack is again as a sweep saw it before a pass saw it otherwise', async () => {
    const stack = await resting();
    let now = 'usual';
    const { counts, tools } = counted(
      withSurvey(world.tools, (survey) => ({
        ...survey,
        look: async (stacks) => new Map(stacks.map(({ id }) => [id, now])),
        textOf: () => now,
      })),
    );
    const worker = world.worker('w', tools);
    await world.advance(301, worker);
    expect(await sweptOf(stack)).toBe('usual');
    now = 'in passing';
    await world.database.query.updateTable('stacks').set({ next_at: world.clock.now() }).execute();
    await world.advance(1, worker);
    expect(await sweptOf(stack)).toBe('in passing');
    now = 'usual';
    const before = counts.passes;
    await world.advance(301, worker);
    expect(counts.passes).toBe(before + 1);
    expect(await sweptOf(stack)).toBe('usual');
  });
});
