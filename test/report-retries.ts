import { appendFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

const slowMs = 10_000;
const maxSlowTests = 10;

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

const nameOf = (test: TestCase): string => `${test.module.relativeModuleId} > ${test.fullName}`;

/** Why the first try failed, so that a cause can be looked for. */
const reasonOf = (test: TestCase): string =>
  (test.result().errors?.[0]?.message ?? 'no error was reported').split('\n', 1)[0] ?? '';

function linesFor(tests: readonly TestCase[]): string[] {
  const timed = tests.map((test) => ({ test, ...test.diagnostic() }));
  const retried = timed.filter(({ retryCount = 0 }) => retryCount > 0);
  const slow = timed
    .filter(({ duration = 0 }) => duration > slowMs)
    .toSorted((a, b) => (b.duration ?? 0) - (a.duration ?? 0))
    .slice(0, maxSlowTests);
  return [
    ...retried.map(({ test, retryCount }) => `retried ${retryCount}×: ${nameOf(test)} (${reasonOf(test)})`),
    ...slow.map(({ test, duration = 0 }) => `slow (${seconds(duration)}): ${nameOf(test)}`),
  ];
}

/** Reports slow tests and every retry at the end of a run. `ALM_TEST_REPORT` names a file to append the same lines to. */
export default class RetryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const lines = linesFor(modules.flatMap((module) => [...module.children.allTests()]));
    for (const line of lines) process.stdout.write(`  ${line}\n`);
    const file = process.env.ALM_TEST_REPORT;
    if (file && lines.length > 0) appendFileSync(file, lines.map((line) => `${line}\n`).join(''));
  }
}
