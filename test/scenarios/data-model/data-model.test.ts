import { describe, expect, it } from 'vitest';
import { World } from '../../world.ts';
import { liveOnce } from './history.ts';
import { Random } from './random.ts';

/** More by hand: `npm run test:data`. A history that fails is repeated with its seed. */
const histories = Number(process.env['ALM_DATA_HISTORIES'] ?? 60);
const firstSeed = Number(process.env['ALM_DATA_SEED'] ?? 1);
const perWorld = 50;

async function live(seeds: readonly number[]): Promise<string[]> {
  const world = await World.open();
  try {
    const stories: string[] = [];
    for (const seed of seeds)
      stories.push(
        ...(await liveOnce(world, new Random(seed)).catch((error: unknown) => {
          throw new Error(`History with ALM_DATA_SEED=${seed} ALM_DATA_HISTORIES=1 fails`, { cause: error });
        })),
      );
    return stories;
  } finally {
    await world.close();
  }
}

describe('random lives of stacks with vendor faults, killed servers and two servers at once', () => {
  it(`lose no data that nobody released, in ${histories} histories from seed ${firstSeed}`, async () => {
    const counts = new Map<string, number>();
    for (let done = 0; done < histories; done += perWorld) {
      const size = Math.min(perWorld, histories - done);
      const seeds = Array.from({ length: size }, (_, index) => firstSeed + done + index);
      for (const line of await live(seeds)) {
        const kind = line.replace(/: (?!accepted).*/, ': refused').replace(/^settled.*/, 'settled');
        counts.set(kind, (counts.get(kind) ?? 0) + 1);
      }
    }
    process.stdout.write(`${histories} histories: ${JSON.stringify(Object.fromEntries(counts))}\n`);
    expect(counts.get('previewedUpdate: accepted')).toBeGreaterThan(0);
  }, 7_200_000);
});
