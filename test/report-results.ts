import { appendFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestCase, TestModule, TestSuite } from 'vitest/node';

const slowMs = 10_000;
const maxSlowTests = 10;

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

const nameOf = (test: TestCase | TestSuite): string => `${test.module.relativeModuleId} > ${test.fullName}`;

const firstLine = (error: SerializedError | undefined): string =>
  (error?.message ?? 'no error was reported').split('\n', 1)[0] ?? '';

/** Why the first try failed, so that a cause can be looked for. */
const reasonOf = (test: TestCase): string => firstLine(test.result().errors?.[0]);

function linesForTests(tests: readonly TestCase[]): string[] {
  const timed = tests.map((test) => ({ test, ...test.diagnostic() }));
  const failed = tests.filter((test) => test.result().state === 'failed');
  const retried = timed.filter(({ retryCount = 0 }) => retryCount > 0);
  const slow = timed
    .filter(({ duration = 0 }) => duration > slowMs)
    .toSorted((a, b) => (b.duration ?? 0) - (a.duration ?? 0))
    .slice(0, maxSlowTests);
  return [
    ...failed.map((test) => `FAILED: ${nameOf(test)} (${reasonOf(test)})`),
    ...retried.map(({ test, retryCount }) => `retried ${retryCount}×: ${nameOf(test)} (${reasonOf(test)})`),
    ...slow.map(({ test, duration = 0 }) => `slow (${seconds(duration)}): ${nameOf(test)}`),
  ];
}

/** What failed outside of a test: hooks, files that cannot be loaded. */
function linesForModule(module: TestModule): string[] {
  const suites = [...module.children.allSuites()].flatMap((suite) =>
    suite.errors().map((error) => `FAILED: ${nameOf(suite)} (${firstLine(error)})`),
  );
  return [
    ...module.errors().map((error) => `FAILED: ${module.relativeModuleId} (${firstLine(error)})`),
    ...suites,
  ];
}

/** Reports failures, every retry and slow tests at the end of a run. `ALM_TEST_REPORT` names a file to append the same lines to. */
export default class ResultReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const lines = [
      ...unhandled.map((error) => `FAILED: outside of any test (${firstLine(error)})`),
      ...modules.flatMap(linesForModule),
      ...linesForTests(modules.flatMap((module) => [...module.children.allTests()])),
    ];
    for (const line of lines) process.stdout.write(`  ${line}\n`);
    const file = process.env.ALM_TEST_REPORT;
    if (file && lines.length > 0) appendFileSync(file, lines.map((line) => `${line}\n`).join(''));
  }
}
