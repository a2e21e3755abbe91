import { isObject } from '../../basics/is-object.ts';
import { at } from '../../basics/problem.ts';
import type { StackModel } from '../../model/stack-model.ts';
import { locate, originsOf, type SpellingOf } from '../locate.ts';
import type { Members } from '../plain-values.ts';
import { currentName } from './aliases.ts';
import { origins } from './origins.ts';

const spellingOf: SpellingOf = (members, position, name) =>
  Object.keys(members).find((member) => currentName(position, member) === name);

/** The section of the vendor; an update may omit it. */
function placement(document: Members, member: string): string {
  const section = document['vendor'];
  const [vendor = ''] = isObject(section) ? Object.keys(section) : [];
  return vendor === '' ? 'vendor' : at('vendor', vendor, member);
}

/** A layer's database and cache have the layer's name. */
function withLayerIndex(path: string, { layers, ...model }: StackModel): string {
  const [part, index, ...rest] = path.split('/');
  if ((part !== 'databases' && part !== 'caches') || index === undefined) return path;
  const name = model[part][Number(index)]?.name;
  const layer = layers.findIndex(({ flag }) => flag === name);
  return at(part, Math.max(layer, 0), ...rest);
}

/** Turns a path of the model into the path of the member of the template that it was made from, as its author wrote it. */
export const locateInTemplate =
  (document: object, model: StackModel) =>
  (path: string): string => {
    const members = document as Members;
    if (path === 'region') return placement(members, 'region');
    if (path === 'vendor') return placement(members, 'cred');
    if (path === 'vendorOptions/externalNetwork') return placement(members, 'external_network');
    if (path === 'vendorOptions/flavors') return placement(members, 'flavors');
    const candidates = originsOf(origins, withLayerIndex(path, model));
    return locate({ candidates, documents: [members], spellingOf });
  };
