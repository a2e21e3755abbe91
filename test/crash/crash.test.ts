import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, it } from 'vitest';
import { OwnPostgres } from '../e2e/own-postgres.ts';
import { makeTestPlace, type TestPlace } from '../open-database.ts';
import { Caller } from './world/caller.ts';
import {
  expectAudited,
  expectDesiredStates,
  expectGaplessVersions,
  expectListed,
  expectOnlyLivingResources,
} from './world/checks.ts';
import { FailingService } from './world/failing-service.ts';
import { Ledger } from './world/ledger.ts';
import { failuresOf } from './world/plan.ts';

const seed = Number(process.env.ALM_CRASH_SEED ?? 1);
const seconds = Number(process.env.ALM_CRASH_SECONDS ?? 60);
/** Enough for hundreds of stacks in the time; each has an account of the simulated cloud, which allows 20 networks in a region. */
const callers = 24;
const regions = ['ap-northeast-1', 'ap-southeast-1', 'eu-central-1', 'eu-west-1', 'us-east-1', 'us-west-2'];

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function placeOn(engine: 'sqlite' | 'postgres'): Promise<{ place: TestPlace; postgres?: OwnPostgres }> {
  const postgres = engine === 'postgres' ? await OwnPostgres.start() : undefined;
  if (postgres) closing.push(() => postgres.close());
  const own = await makeTestPlace();
  closing.push(() => own.remove());
  const directory = mkdtempSync(join(tmpdir(), 'almanac-crash-'));
  const url = postgres?.url ?? `sqlite:${join(directory, 'almanac.db')}`;
  return { place: { ...own, directory, url }, ...(postgres ? { postgres } : {}) };
}

async function callUntilOver(service: FailingService, ledger: Ledger): Promise<void> {
  const end = Date.now() + seconds * 1000;
  const calling = Array.from({ length: callers }, (_, caller) => {
    const region = regions[caller % regions.length] ?? '';
    return new Caller({ seed, caller, region, service, ledger }).run(() => Date.now() > end);
  });
  await Promise.all(calling);
  await service.calm();
}

function report(engine: string, ledger: Ledger, service: FailingService): void {
  const figures = (counts: Map<string, number>) => [...counts].map(([what, count]) => `${count} × ${what}`);
  process.stdout.write(
    `crash test on ${engine}, seed ${seed}, ${seconds} s: ${ledger.stacks.length} stacks, ${ledger.living.length} of them living; ` +
      `answers: ${figures(ledger.counts).join(', ')}; failures: ${figures(service.met).join(', ')}\n`,
  );
}

describe.each(['sqlite', 'postgres'] as const)(
  'a service on %s that is killed at random moments',
  (engine) => {
    it(`with seed ${seed} keeps every acknowledged write, ends in the states asked for, leaves nothing behind, and its audit log verifies`, async () => {
      const { place, postgres } = await placeOn(engine);
      const failures = failuresOf(seed, engine);
      const service = await FailingService.start(place, { failures, ...(postgres ? { postgres } : {}) });
      const ledger = new Ledger();
      await callUntilOver(service, ledger);
      report(engine, ledger, service);

      await expectDesiredStates(service.server, ledger);
      await expectListed(service.server, ledger);
      await expectOnlyLivingResources(place, ledger);
      await expectGaplessVersions(service.server, ledger);
      await expectAudited(service.server, ledger);
    });
  },
);
