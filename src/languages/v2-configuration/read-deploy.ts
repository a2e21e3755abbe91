import type { Static } from 'typebox';
import { type Outcome, reject, succeed } from '../../basics/problem.ts';
import { openNotebook, type Report } from '../report.ts';
import type { Changes, V2Document } from './document.ts';
import { deploy, type deployMethods } from './schema.ts';
import { readMembers, readSent, type Sent } from './sent.ts';

export interface Deploy {
  changes: Changes;
  /** Nothing about the code changes: it is fetched again from where it is known to be. */
  onlyRepulls: boolean;
}

/** `configured`: the repository the stack knows already, unless another one is named. */
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

type Body = Omit<Sent<Static<typeof deploy>>, 'method'>;

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

const checkNeeds = (source: Source, body: Body, before: V2Document | undefined, report: Report): void => {
  const { filepath, privateKey, branch } = body;
  if (source !== 'configured' && !isGiven(filepath)) report('filepath', 'is missing. Say where the code is.');
  if (source === 'configured' && !isGiven(filepath) && before && before.configuration.code === undefined)
    report('filepath', 'is missing. The stack has no code yet that could be fetched again.');
  if (source === 'private' && !isGiven(privateKey))
    report('privateKey', 'is missing. A private repository needs its private key.');
  if ((source === 'object store' || source === 'public') && isGiven(privateKey))
    report('privateKey', 'is of no use to this method; use git_private.');
  if (source === 'object store' && isGiven(branch))
    report('branch', 'is of no use to this method; an object store has no branches.');
  if (source === 'configured' && !isGiven(filepath) && before?.configuration.codeSource === 'object_store')
    for (const name of ['privateKey', 'branch'] as const)
      if (isGiven(body[name]))
        report(name, 'is of no use: the code is in an object store. Give its filepath.');
};

const codeChanges = (source: Source, { filepath, privateKey, branch }: Body): Changes['configuration'] => {
  if (source === 'object store')
    return { code: filepath, codeSource: 'object_store', gitPrivateKey: null, gitReference: null };
  return {
    code: filepath ?? undefined,
    codeSource: isGiven(filepath) ? 'git' : undefined,
    // What anybody may read needs no key, and a key for the repository before is none for this one.
    gitPrivateKey: source === 'public' ? null : (privateKey ?? undefined),
    gitReference: branch ?? undefined,
  };
};

/** What a request to deploy code says. Give it the stack's document to find out whether there is code to fetch again. */
export const readDeploy = (value: unknown, before?: V2Document): Outcome<Deploy> => {
  const members = readMembers(value, '');
  if (!members.ok) return members;
  const notebook = openNotebook();
  const { method, ...body } = readSent(deploy, members.value, notebook.report);
  const isMethodKnown = !notebook.problems().some(({ path }) => path === 'method');
  const source = sources[method ?? 'git'];
  // What else is needed depends on the method.
  if (isMethodKnown) checkNeeds(source, body, before, notebook.report);
  const problems = notebook.problems();
  if (problems.length > 0) return reject(problems);
  const configuration = codeChanges(source, body);
  const onlyRepulls = Object.values(configuration).every((change) => change === undefined);
  return succeed({ changes: { configuration, server: {} }, onlyRepulls });
};
