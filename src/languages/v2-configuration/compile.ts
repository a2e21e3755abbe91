import { type Outcome, reject, succeed } from '../../basics/problem.ts';
import { freeze, type StackModel } from '../../model/stack-model.ts';
import type { Compiled } from '../language.ts';
import { openNotebook } from '../report.ts';
import { networkCidr } from '../shared-meaning.ts';
import { compileCaches, compileDatabases } from './data-services.ts';
import { keptForm, mergeChanges, type V2Document } from './document.ts';
import { compileLayer } from './layer.ts';
import { sealSecrets, sortSecrets } from './secrets.ts';
import { type Settled, settle } from './settle.ts';

const compileModel = (settled: Settled, region: string): StackModel => ({
  region,
  networkCidr,
  layers: [compileLayer(settled)],
  databases: compileDatabases(settled.configuration.database ?? []),
  caches: compileCaches(settled.configuration.elasticache ?? []),
});

const keptDocument = ({ configuration, server }: Settled, region: string): V2Document => {
  const kept = mergeChanges(null, { configuration: { ...keptForm(configuration), region }, server });
  return { configuration: sealSecrets(kept.configuration), server: sealSecrets(kept.server) };
};

/** What a v2 stack is, or everything that is wrong with it. The document that comes back is the one to keep. */
export const compileConfiguration = (document: V2Document, region: string): Outcome<Compiled> => {
  const notebook = openNotebook();
  const settled = settle(document, notebook.report);
  if ((document.configuration.region ?? region) !== region)
    notebook.report('configurations/region', `must be the stack's own region, ${region}.`);
  const problems = notebook.problems();
  if (!settled || problems.length > 0) return reject(problems);
  return succeed({
    model: freeze(compileModel(settled, region)),
    document: keptDocument(settled, region),
    ...sortSecrets(settled.texts),
  });
};
