import type { Static } from 'typebox';
import { type Outcome, reject, succeed } from '../../basics/problem.ts';
import { collectProblems, type Report } from '../report.ts';
import type { Changes } from './document.ts';
import { readEnvironment } from './environment.ts';
import { type Patch, readMembers, readPatch } from './patch.ts';
import { serverChanges } from './schema.ts';

type Body = Patch<Static<typeof serverChanges>>;

const noChanges =
  'changes nothing. Send filepath, mackerelApiKey, envvars, keypair_id, codeDir or ports; null clears a setting.';

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

const codeChanges = ({ filepath, privateKey, branch }: Body, report: Report): Changes['configuration'] => {
  const hasDetails = isGiven(privateKey) || isGiven(branch);
  if (!isGiven(filepath) && hasDetails) report('filepath', 'is required with privateKey and branch.');
  // Without code the other members have no meaning.
  if (filepath === null) return { code: null, codeSource: null, gitPrivateKey: null, gitReference: null };
  // Only a repository has a key and branches.
  const codeSource = hasDetails ? 'git' : undefined;
  return { code: filepath, codeSource, gitPrivateKey: privateKey, gitReference: branch };
};

const monitoringChange = ({ mackerelApiKey, monitoringApiKey }: Body, report: Report) => {
  if (mackerelApiKey !== undefined && monitoringApiKey !== undefined)
    report('monitoringApiKey', 'is an alias of mackerelApiKey; keep one.');
  return mackerelApiKey === undefined ? monitoringApiKey : mackerelApiKey;
};

const environmentChange = ({ envvars }: Body, report: Report) => {
  if (envvars === undefined) return undefined;
  return envvars === null ? [] : readEnvironment(envvars, 'envvars', report);
};

const settingChanges = (body: Body, report: Report): Changes['server'] => ({
  codeDir: body.codeDir,
  ports: body.ports,
  environmentVariables: environmentChange(body, report),
  monitoring: monitoringChange(body, report),
  keypair_id: body.keypair_id,
});

/** Reads an update of the server configuration. */
export const readServerChanges = (value: unknown): Outcome<Changes> => {
  const members = readMembers(value, '');
  if (!members.ok) return members;
  const list = collectProblems();
  const body = readPatch(serverChanges, members.value, { path: '', report: list.report });
  const changes: Changes = {
    configuration: codeChanges(body, list.report),
    server: settingChanges(body, list.report),
  };
  const problems = list.problems();
  if (problems.length > 0) return reject(problems);
  const all = Object.values({ ...changes.configuration, ...changes.server });
  return all.every((change) => change === undefined)
    ? reject([{ path: '', message: noChanges }])
    : succeed(changes);
};
