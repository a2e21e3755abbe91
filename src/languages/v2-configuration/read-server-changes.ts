import type { Static } from 'typebox';
import { type Outcome, reject, succeed } from '../../basics/problem.ts';
import { openNotebook, type Report } from '../report.ts';
import type { Changes } from './document.ts';
import { readEnvironment } from './environment.ts';
import { serverChanges } from './schema.ts';
import { readMembers, readSent, type Sent } from './sent.ts';

type Body = Sent<Static<typeof serverChanges>>;

const nothing =
  'changes nothing. Send filepath, mackerelApiKey, envvars, keypair_id, codeDir or ports; null clears.';

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

const codeChanges = ({ filepath, privateKey, branch }: Body, report: Report): Changes['configuration'] => {
  const sayMore = isGiven(privateKey) || isGiven(branch);
  if (!isGiven(filepath) && sayMore)
    report('filepath', 'is missing. privateKey and branch say more about it.');
  // Without code there is nothing left that these could be about.
  if (filepath === null) return { code: null, codeSource: null, gitPrivateKey: null, gitReference: null };
  // Only a repository has a key and branches.
  const codeSource = sayMore ? 'git' : undefined;
  return { code: filepath, codeSource, gitPrivateKey: privateKey, gitReference: branch };
};

const monitoringChange = ({ mackerelApiKey, monitoringApiKey }: Body, report: Report) => {
  if (mackerelApiKey !== undefined && monitoringApiKey !== undefined)
    report('monitoringApiKey', 'is the same as mackerelApiKey; keep one.');
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

/** What an update of the server configuration says. */
export const readServerChanges = (value: unknown): Outcome<Changes> => {
  const members = readMembers(value, '');
  if (!members.ok) return members;
  const notebook = openNotebook();
  const body = readSent(serverChanges, members.value, notebook.report);
  const changes: Changes = {
    configuration: codeChanges(body, notebook.report),
    server: settingChanges(body, notebook.report),
  };
  const problems = notebook.problems();
  if (problems.length > 0) return reject(problems);
  const all = Object.values({ ...changes.configuration, ...changes.server });
  return all.every((change) => change === undefined)
    ? reject([{ path: '', message: nothing }])
    : succeed(changes);
};
