import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { secondsOf } from '../../src/console/examples/durations.ts';
import { World } from '../world.ts';

const folder = join(import.meta.dirname, '../../examples');

const templateOf = (name: string): object => {
  const file = readdirSync(folder).find((each) => each.startsWith(`${name}.`)) ?? name;
  return parse(readFileSync(join(folder, file), 'utf8')) as object;
};

it.each(Object.entries(secondsOf))(
  'the example %s takes the time that the console says, in the sandbox',
  async (name, seconds) => {
    const world = await World.open();
    const stackId = await world.create(templateOf(name));
    let passed = 0;
    while ((await world.row(stackId)).status !== 'CREATE_COMPLETE' && passed < 600) {
      await world.advance(1);
      passed += 1;
    }
    expect(Math.abs(passed - seconds), `${passed} seconds`).toBeLessThanOrEqual(2);
    await world.close();
  },
);
