// Differences of two documents against microdiff, which is installed into a temporary folder for this. See ../README.md.
// Usage after a build: node bench/speed/diff.mjs [layers] [seconds per figure]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { report } from './report.mjs';

const [layers = 40, seconds = 2] = process.argv.slice(2).map(Number);
const program = resolve(process.env.DIST ?? 'dist', 'model', 'difference.js');
const { difference } = await import(pathToFileURL(program));

function loadMicrodiff() {
  const place = mkdtempSync(join(tmpdir(), 'almanac-bench-'));
  try {
    const args = ['install', '--no-audit', '--no-fund', '--silent', '--prefix', place, 'microdiff@1.6.0'];
    execFileSync('npm', args, { stdio: 'ignore' });
    return createRequire(join(place, 'x.cjs'))('microdiff').default;
  } finally {
    rmSync(place, { recursive: true });
  }
}

const document = (type) => ({
  version: '2017-03-03',
  label: 'bench',
  configurations: Array.from({ length: layers }, (_, layer) => ({
    role: 'web',
    flag: `web${layer}`,
    provision: { image: 'ami-1', instance_type: layer % 5 === 0 ? type : 't2.micro', instance_count: layer },
    variables: Object.fromEntries(
      Array.from({ length: 10 }, (__, each) => [`NAME_${each}`, `value ${each}`]),
    ),
  })),
});
const [before, after] = [document('t2.small'), document('t2.large')];

/** By the time of the processor: another process may be using it. */
function perSecond(work) {
  for (let warm = 0; warm < 200; warm += 1) work();
  const [cpu, started] = [process.cpuUsage(), performance.now()];
  let count = 0;
  for (; performance.now() - started < seconds * 1000; count += 1) work();
  const { user, system } = process.cpuUsage(cpu);
  return (count * 1_000_000) / (user + system);
}

const microdiff = loadMicrodiff();
const edited = difference(before, after).edited.size;
if (edited !== microdiff(before, after).length) throw new Error('the two disagree');
const base = perSecond(() => microdiff(before, after));
const own = perSecond(() => difference(before, after));
report('diff', [
  { name: 'microdiff', value: base, unit: '/s', isBaseline: true, cpu: 1000 / base },
  {
    name: `difference of two documents of ${layers} layers`,
    value: own,
    unit: '/s',
    ratio: own / base,
    cpu: 1000 / own,
  },
]);
