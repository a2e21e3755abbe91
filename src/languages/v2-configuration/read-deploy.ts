import type { Static } from 'typebox';
import { type Outcome, reject, succeed } from '../../basics/problem.ts';
import { collectProblems, type Report } from '../report.ts';
import type { Changes, V2Document } from './document.ts';
import { type Patch, readMembers, readPatch } from './patch.ts';
import { deploy, type deployMethods } from './schema.ts';

export interface Deploy {
  changes: Changes;
  /** The code location does not change: the code is only fetched again. */
  onlyRepulls: boolean;
}

/** `configured`: the stack's current repository, unless the request names another. */
type Source = 'object store' | 'public' | 'private' | 'configured';

const sources: Readonly<Record<(typeof deployMethods)[number], Source>> = {
  s3: 'object store',
  object_store: 'object store',
  git_public: 'public',
  github_public: 'public',
  git_private: 'private',
  github_private: 'private',
  git: 'configured',
  github: 'configured',
};

type Body = Omit<Patch<Static<typeof deploy>>, 'method'>;

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

interface Request {
  source: Source;
  body: Body;
  before: V2Document | undefined;
}

const checkMembers = ({ source, body, before }: Request, report: Report): void => {
  const { filepath, privateKey, branch } = body;
  const fetchesAgain = source === 'configured' && !isGiven(filepath);
  if (source !== 'configured' && !isGiven(filepath)) report('filepath', 'is required: where the code is.');
  if (fetchesAgain && before && before.configuration.code === undefined)
    report('filepath', 'is required, because the stack has no code to fetch again.');
  if (source === 'private' && !isGiven(privateKey))
    report('privateKey', 'is required for a private repository.');
  if ((source === 'object store' || source === 'public') && isGiven(privateKey))
    report('privateKey', 'is not supported by this method; use git_private.');
  if (source === 'object store' && isGiven(branch))
    report('branch', 'is not supported by this method; an object store has no branches.');
  if (fetchesAgain && before?.configuration.codeSource === 'object_store')
    for (const name of ['privateKey', 'branch'] as const)
      if (isGiven(body[name]))
        report(
          name,
          'is not supported, because the code is in an object store; send the filepath of a repository.',
        );
};

const codeChanges = (source: Source, { filepath, privateKey, branch }: Body): Changes['configuration'] => {
  if (source === 'object store')
    return { code: filepath, codeSource: 'object_store', gitPrivateKey: null, gitReference: null };
  return {
    code: filepath ?? undefined,
    codeSource: isGiven(filepath) ? 'git' : undefined,
    // A public repository needs no key, and the key of the previous repository does not fit this one.
    gitPrivateKey: source === 'public' ? null : (privateKey ?? undefined),
    gitReference: branch ?? undefined,
  };
};

/** Reads a request to deploy code. With the stack's document, checks also that there is code to fetch again. */
export const readDeploy = (value: unknown, before?: V2Document): Outcome<Deploy> => {
  const members = readMembers(value, '');
  if (!members.ok) return members;
  const list = collectProblems();
  const { method, ...body } = readPatch(deploy, members.value, { path: '', report: list.report });
  const isMethodKnown = !list.problems().some(({ path }) => path === 'method');
  const source = sources[method ?? 'git'];
  // Which members are required depends on the method.
  if (isMethodKnown) checkMembers({ source, body, before }, list.report);
  const problems = list.problems();
  if (problems.length > 0) return reject(problems);
  const configuration = codeChanges(source, body);
  const onlyRepulls = Object.values(configuration).every((change) => change === undefined);
  return succeed({ changes: { configuration, server: {} }, onlyRepulls });
};
