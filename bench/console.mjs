// The web console in a real browser: time, memory and bytes, each beside its bar. See README.md.
// Usage after a build: bash scripts/with-chromium.sh node bench/console.mjs [stacks] [part…]
import { measureFirst } from './console/first.mjs';
import { measureList } from './console/list.mjs';
import { measureBuild, measureServer } from './console/server.mjs';
import { measureStack } from './console/stack.mjs';
import { BenchWorld } from './console/world.mjs';

const parts = {
  first: measureFirst,
  list: measureList,
  stack: measureStack,
  server: measureServer,
  build: measureBuild,
};
const [stackCount = '1000', ...named] = process.argv.slice(2);
const world = await new BenchWorld().start(Number(stackCount));
try {
  console.log(`${stackCount} stacks`);
  for (const part of named.length > 0 ? named : Object.keys(parts)) await parts[part](world);
} finally {
  await world.stop();
}
