import { type Outcome, reject, succeed } from '../../basics/problem.ts';
import { freeze, type StackModel } from '../../model/stack-model.ts';
import { networkCidr } from '../defaults.ts';
import type { Compiled } from '../language.ts';
import { collectProblems } from '../report.ts';
import { compileCaches, compileDatabases } from './data-services.ts';
import { mergeChanges, storedForm, type V2Document } from './document.ts';
import { compileLayer } from './layer.ts';
import { locateInRequest } from './locate-problem.ts';
import { sealSecrets, splitSecrets } from './secrets.ts';
import { type Settled, settle } from './settle.ts';

const compileModel = (settled: Settled, region: string): StackModel => ({
  region,
  networkCidr,
  layers: [compileLayer(settled)],
  databases: compileDatabases(settled.configuration.database ?? []),
  caches: compileCaches(settled.configuration.elasticache ?? []),
});

const storedDocument = ({ configuration, server }: Settled, region: string): V2Document => {
  const stored = mergeChanges(null, { configuration: { ...storedForm(configuration), region }, server });
  return { configuration: sealSecrets(stored.configuration), server: sealSecrets(stored.server) };
};

/**
 * Compiles a v2 stack, or returns all its problems. The returned document is the one to store. `request`: what the caller
 * sent, which may contain only a part of the document.
 */
export const compileConfiguration = (
  document: V2Document,
  region: string,
  request?: object,
): Outcome<Compiled> => {
  const list = collectProblems();
  const settled = settle(document, list.report);
  if ((document.configuration.region ?? region) !== region)
    list.report('configurations/region', `must be the stack's region, ${region}; correct or remove it.`);
  const problems = list.problems();
  if (!settled || problems.length > 0) return reject(problems);
  return succeed({
    model: freeze(compileModel(settled, region)),
    document: storedDocument(settled, region),
    ...splitSecrets(settled.texts),
    locate: locateInRequest(request, document),
  });
};
