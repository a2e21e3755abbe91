import { isObject } from '../../basics/is-object.ts';
import { at, type Outcome, type Problem, reject, succeed } from '../../basics/problem.ts';
import { Secret } from '../../basics/secret.ts';
import { freeze, type StackModel } from '../../model/stack-model.ts';
import type { Compiled, Placement } from '../language.ts';
import { findForeignValue } from '../plain-values.ts';
import { readBySchema } from '../read-by-schema.ts';
import { openNotebook, type Report } from '../report.ts';
import { networkCidr } from '../shared-meaning.ts';
import { respell } from './aliases.ts';
import type { LayerContext } from './capacity.ts';
import { compileCache, compileDatabase } from './data-services.ts';
import { resolveFunctions } from './functions.ts';
import { compileLayer, reportRepeatedFlags } from './layers.ts';
import { type Template, template as templateSchema } from './schema.ts';
import { takeSecrets } from './secrets.ts';
import { assignSubnets } from './subnets.ts';

const compileModel = (template: Template, region: string, report: Report): StackModel => {
  const layers = template.configurations;
  reportRepeatedFlags(layers, report);
  const cidrs = assignSubnets(layers, report);
  const contexts = layers.map(
    (layer, index): LayerContext => ({
      layer,
      path: at('configurations', index, 'provision'),
      layers,
      report,
    }),
  );
  return {
    region,
    networkCidr,
    layers: contexts.map((context, index) => compileLayer(context, index, cidrs[index] ?? networkCidr)),
    databases: contexts.flatMap(compileDatabase),
    caches: contexts.flatMap(compileCache),
  };
};

/**
 * What a template means, or everything that is wrong with it. The `vendor` section is not looked at: it is
 * `readPlacement`'s, and ignored on update.
 */
export const compileTemplate = (template: unknown, region: string): Outcome<Compiled> => {
  if (!isObject(template)) return reject([{ path: '', message: 'must be an object: the template.' }]);
  const foreign = findForeignValue(template);
  if (foreign) return reject([foreign]);
  const { document, working, secrets, keptSecrets } = takeSecrets(template);
  const notebook = openNotebook();
  const respelled = respell(working, notebook.report);
  const resolved = resolveFunctions(respelled.value, notebook.report);
  const read = readBySchema(templateSchema, resolved, notebook.report);
  const model = read && compileModel(read, region, notebook.report);
  const problems = notebook.problems(respelled.asWritten);
  if (!model || problems.length > 0) return reject(problems);
  return succeed({ model: freeze(model), document, secrets, keptSecrets });
};

const vendorExample = '{"aws": {"cred": "…", "region": "ap-northeast-1"}}';

const neededText = (members: Record<string, unknown>, name: string): string => {
  const value = Object.hasOwn(members, name) ? members[name] : '';
  return typeof value === 'string' ? value.trim() : '';
};

const readVendor = (vendor: string, members: unknown): Outcome<Placement> => {
  const path = at('vendor', vendor);
  if (!isObject(members)) return reject([{ path, message: 'must be an object with cred and region.' }]);
  const problems: Problem[] = [];
  const needed = (name: string, what: string): string => {
    const value = neededText(members, name);
    if (value === '') problems.push({ path: at(path, name), message: `is missing. Give ${what}.` });
    return value;
  };
  const credentialId = needed('cred', 'the id of a saved credential');
  const region = needed('region', 'the region the stack is made in');
  const { secret } = members;
  const isGiven = secret !== undefined && secret !== null && secret !== '';
  if (isGiven && typeof secret !== 'string')
    problems.push({ path: at(path, 'secret'), message: 'must be text.' });
  if (problems.length > 0) return reject(problems);
  const kept = isGiven && typeof secret === 'string' ? new Secret(secret) : null;
  return succeed({ vendor: vendor.toLowerCase(), credentialId, region, secret: kept });
};

/** Where a template wants its stack. Only needed to create one. */
export const readPlacement = (template: unknown): Outcome<Placement> => {
  const vendors = isObject(template) && Object.hasOwn(template, 'vendor') ? template['vendor'] : undefined;
  if (vendors === undefined || vendors === null)
    return reject([{ path: 'vendor', message: `is missing. Say where: ${vendorExample}.` }]);
  if (!isObject(vendors))
    return reject([{ path: 'vendor', message: `must be an object: ${vendorExample}.` }]);
  const [first, ...more] = Object.entries(vendors);
  if (!first || more.length > 0)
    return reject([{ path: 'vendor', message: `must name exactly one vendor: ${vendorExample}.` }]);
  return readVendor(...first);
};

/** The name a template gives its stack, if it does. */
export const readNickname = (template: unknown): string | null => {
  const nickname = isObject(template) && Object.hasOwn(template, 'nickname') ? template['nickname'] : null;
  return typeof nickname === 'string' && nickname.trim() !== '' ? nickname.trim() : null;
};
