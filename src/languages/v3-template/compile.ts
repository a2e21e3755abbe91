import { isObject } from '../../basics/is-object.ts';
import { at, type Outcome, type Problem, reject, succeed } from '../../basics/problem.ts';
import { Secret } from '../../basics/secret.ts';
import { freeze, type StackModel } from '../../model/stack-model.ts';
import { networkCidr } from '../defaults.ts';
import type { Compiled, Placement } from '../language.ts';
import { findNonJsonValue } from '../plain-values.ts';
import { readBySchema } from '../read-by-schema.ts';
import { collectProblems, type Report } from '../report.ts';
import { resolveAliases } from './aliases.ts';
import type { LayerContext } from './capacity.ts';
import { compileCache, compileDatabase, restoresIn } from './data-services.ts';
import { resolveFunctions } from './functions.ts';
import { compileLayer, reportDuplicateFlags } from './layers.ts';
import { locateInTemplate } from './locate-problem.ts';
import { type Template, template as templateSchema } from './schema.ts';
import { extractSecrets } from './secrets.ts';
import { assignSubnets } from './subnets.ts';
import { reportDuplicateTags } from './tags.ts';

/** Clouds of which every one is different, so that a template may say more about its own than the region. */
const describedVendors = /^(openstack|k5)$/i;

/**
 * Reads what the vendor section says about the cloud itself. An update may leave it out: the vendor then keeps the choices of
 * the version before.
 */
function readVendorOptions(vendor: unknown, report: Report): Pick<StackModel, 'vendorOptions'> {
  const [name = '', members] = (isObject(vendor) ? Object.entries(vendor) : [])[0] ?? [];
  if (!describedVendors.test(name) || !isObject(members)) return {};
  const { external_network: externalNetwork = null, flavors = {} } = members;
  const path = at('vendor', name);
  if (externalNetwork !== null && (typeof externalNetwork !== 'string' || externalNetwork === ''))
    report(at(path, 'external_network'), 'must be the name or id of a network.');
  const isMapping = isObject(flavors) && Object.values(flavors).every((each) => typeof each === 'string');
  if (!isMapping)
    report(at(path, 'flavors'), 'must be an object of types and flavors: {"t2.micro": "m1.small"}.');
  const isEmpty = externalNetwork === null && (!isMapping || Object.keys(flavors).length === 0);
  if (isEmpty) return {};
  return {
    vendorOptions: {
      externalNetwork: typeof externalNetwork === 'string' ? externalNetwork : null,
      flavors: isMapping ? (flavors as Record<string, string>) : {},
    },
  };
}

const compileModel = (template: Template, region: string, report: Report): StackModel => {
  const layers = template.configurations;
  reportDuplicateFlags(layers, report);
  reportDuplicateTags(template.tags ?? {}, report);
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
    ...(template.tags ? { tags: template.tags } : {}),
    ...readVendorOptions(template.vendor, report),
  };
};

/**
 * Compiles a template, or returns all its problems. Does not check the `vendor` section, which `readPlacement` reads and
 * updates ignore.
 */
export const compileTemplate = (template: unknown, region: string): Outcome<Compiled> => {
  if (!isObject(template)) return reject([{ path: '', message: 'must be an object.' }]);
  const nonJson = findNonJsonValue(template);
  if (nonJson) return reject([nonJson]);
  const { document, working, secrets, keptSecrets } = extractSecrets(template);
  const list = collectProblems();
  const { report } = list;
  const { value, asWritten } = resolveAliases(working, report);
  const read = readBySchema(templateSchema, resolveFunctions(value, report), { path: '', report });
  const model = read && compileModel(read, region, report);
  const problems = list.problems(asWritten);
  if (!model || problems.length > 0) return reject(problems);
  const locate = locateInTemplate(document, model);
  const restores = restoresIn(read);
  return succeed({
    model: freeze(model),
    document,
    secrets,
    keptSecrets,
    locate,
    ...(restores.length > 0 ? { restores } : {}),
  });
};

const vendorExample = '{"aws": {"cred": "…", "region": "ap-northeast-1"}}';

const requiredText = (members: Readonly<Record<string, unknown>>, name: string): string => {
  const value = Object.hasOwn(members, name) ? members[name] : '';
  return typeof value === 'string' ? value.trim() : '';
};

const readVendor = (vendor: string, members: unknown): Outcome<Placement> => {
  const path = at('vendor', vendor);
  if (!isObject(members)) return reject([{ path, message: 'must be an object with cred and region.' }]);
  const problems: Problem[] = [];
  const required = (name: string, what: string): string => {
    const value = requiredText(members, name);
    if (value === '') problems.push({ path: at(path, name), message: `is required: ${what}.` });
    return value;
  };
  const credentialId = required('cred', 'the id of a saved credential');
  const region = required('region', 'the region of the stack');
  const optional = (name: string): string | null => {
    const value = members[name] ?? '';
    if (typeof value !== 'string') problems.push({ path: at(path, name), message: 'must be a string.' });
    return typeof value === 'string' && value !== '' ? value : null;
  };
  const secret = optional('secret');
  const authUrl = describedVendors.test(vendor) ? optional('auth_url') : null;
  if (problems.length > 0) return reject(problems);
  const sealed = secret === null ? null : new Secret(secret);
  return succeed({ vendor: vendor.toLowerCase(), credentialId, region, secret: sealed, authUrl });
};

/** Reads the vendor, credential and region of a new stack. */
export const readPlacement = (template: unknown): Outcome<Placement> => {
  const vendors = isObject(template) && Object.hasOwn(template, 'vendor') ? template['vendor'] : undefined;
  if (vendors === undefined || vendors === null)
    return reject([{ path: 'vendor', message: `is required. Example: ${vendorExample}.` }]);
  if (!isObject(vendors))
    return reject([{ path: 'vendor', message: `must be an object. Example: ${vendorExample}.` }]);
  const [first, ...more] = Object.entries(vendors);
  if (!first || more.length > 0)
    return reject([
      { path: 'vendor', message: `must contain exactly one vendor. Example: ${vendorExample}.` },
    ]);
  return readVendor(...first);
};

export interface WrittenName {
  text: string;
  /** Written as `name`, and not as `nickname`, which several stacks may have. */
  isUnique: boolean;
}

/** The stack's name in a template, or null. */
export const readName = (template: unknown): WrittenName | null => {
  const read = (member: string): string => {
    const value = isObject(template) && Object.hasOwn(template, member) ? template[member] : null;
    return typeof value === 'string' ? value.trim() : '';
  };
  const name = read('name');
  const text = name || read('nickname');
  return text === '' ? null : { text, isUnique: name !== '' };
};
