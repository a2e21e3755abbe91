import { describe, expect, it } from 'vitest';
import type { Outcome, Problem } from '../../../src/basics/problem.ts';
import type { StackModel } from '../../../src/model/stack-model.ts';
import { compile as compileForDocker } from '../../../src/vendors/docker/compile.ts';
import { compile as compileForSandbox } from '../../../src/vendors/sandbox/compile.ts';
import { problemsOf as awsProblems, type CompileOptions } from '../aws/compile/world.ts';
import { messagesIn } from './census.ts';
import { resolves, type Sent, v2, v3 } from './documents.ts';
import { awsMistakes } from './mistakes/aws.ts';
import { dockerMistakes } from './mistakes/docker.ts';
import type { Mistake } from './mistakes/draft.ts';
import { sandboxMistakes } from './mistakes/sandbox.ts';

/** Every place from which a vendor reports problems of a model, without asking the cloud. */
const sources: Readonly<Record<string, readonly string[]>> = {
  sandbox: ['shared/checks.ts', 'sandbox/check.ts'],
  docker: ['docker/check.ts', 'docker/check'],
  aws: ['aws/check.ts', 'aws/check', 'aws/compile.ts', 'aws/layout'],
};

/** No model causes these: earlier checks and the compiler exclude them. The final check of a template finds its own bugs. */
const impossible =
  /^(Must be between ([01] and|\[\^\]\* and \[\^\]\* GiB)|"\[\^\]\*" is not a zone|Too long|A single node|Several zones require|Automatic failover|\[\^\]\* is not an IPv4)/;

type Check = (model: StackModel, options?: CompileOptions) => readonly Problem[];
const problemsIn = (outcome: Outcome<unknown>) => (outcome.ok ? [] : outcome.problems);

const vendors: readonly [string, Check, readonly Mistake[]][] = [
  ['sandbox', (model) => problemsIn(compileForSandbox(model, 'mo-1')), sandboxMistakes],
  ['docker', (model) => problemsIn(compileForDocker(model)), dockerMistakes],
  [
    'aws',
    (model, options) =>
      awsProblems(model, { ...options, choices: { certificates: {}, ...options?.choices } }),
    awsMistakes,
  ],
];

function problemsOf({ compiled }: Sent, check: Check, { make, options }: Mistake): readonly Problem[] {
  const model = structuredClone(compiled.model) as Parameters<Mistake['make']>[0];
  make(model);
  return check(model, options);
}

/** The paths of the problems that a mistake in the meaning of a request causes, in the request. */
function pathsIn(sent: Sent, check: Check, mistake: Mistake): string[] {
  const { request, compiled } = sent;
  const paths = problemsOf(sent, check, mistake).map(({ path }) => compiled.locate(path));
  expect(paths.filter((path) => !resolves(request, path))).toEqual([]);
  return paths;
}

describe.each(vendors)('a problem found by vendor %s is reported in the document:', (_, check, mistakes) => {
  it('the documents themselves are accepted', () => {
    for (const { compiled } of Object.values({ ...v3, ...v2 })) expect(check(compiled.model)).toEqual([]);
  });

  it.each(mistakes)('$what', (mistake) => {
    for (const format of ['JSON', 'YAML'] as const)
      expect(pathsIn(v3[format], check, mistake)).toContain(mistake.v3);
    expect(pathsIn(v3['other names of members'], check, mistake)).not.toEqual([]);
    for (const sent of Object.values(v2)) expect(pathsIn(sent, check, mistake)).toContain(mistake.v2);
  });
});

it.each(vendors)('every message of vendor %s is among them', (name, check, mistakes) => {
  const produced = Object.values({ ...v3, ...v2 }).flatMap((sent) =>
    mistakes.flatMap((mistake) => problemsOf(sent, check, mistake).map(({ message }) => message)),
  );
  const messages = messagesIn(sources[name] ?? []).filter((pattern) => !impossible.test(pattern.source));
  expect(messages.length).toBeGreaterThan(1);
  const missing = messages.filter((pattern) => !produced.some((message) => pattern.test(message)));
  expect(missing.map(({ source }) => source)).toEqual([]);
});
