import { wildcard } from './wildcard.ts';

/**
 * Every action a role can speak of, and the other names it has: those of the older interface, and the
 * `<verb>:<thing>` names that came after it. A pattern fits an action when it fits any of its names.
 */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  'stack:describeStacks': ['view:alm.stack'],
  'stack:describeStack': ['view:alm.stack'],
  'stack:describeContainers': ['view:alm.stack'],
  // Who holds the key can change everything on the instances, so looking is not enough.
  'stack:describePem': ['edit:alm.stack'],
  'stack:deleteStack': ['delete:alm.stack'],
  'template:createAlmTemplate': ['stack:createStack', 'create:alm.stack', 'create:alm.template'],
  'template:updateAlmTemplate': ['stack:updateStack', 'edit:alm.stack', 'edit:alm.template'],
  'template:describeAlmTemplate': ['view:alm.template'],
  'vendor:describeVendors': [],
  'cred:describeCredentials': ['view:credentials'],
  'cred:createCredential': ['create:credentials'],
  'cred:deleteCredential': ['delete:credentials'],
  'role:describeRoles': [],
  'role:createRole': [],
  'role:updateRole': [],
  'role:deleteRole': [],
  'user:describeUsers': ['user:describeAlmUsers'],
  'user:createUser': ['user:createAlmUser'],
  'user:updateUser': ['user:updateAlmUser'],
  'user:deleteUser': ['user:deleteAlmUser'],
  'user:consoleLoginUser': ['view:user.login'],
  'userrole:describeUserRoleByUserName': [],
  'userrole:createUserRole': [],
  'userrole:updateUserRole': [],
  'userrole:deleteUserRole': [],
};

export const actions: readonly string[] = Object.keys(otherNames);

/** Done to one stack that somebody owns: here a condition on the owner means something. */
export const actionsOnOwnedStacks: readonly string[] = [
  'stack:describeStacks',
  'stack:describeStack',
  'stack:describeContainers',
  'stack:describePem',
  'stack:deleteStack',
  'template:updateAlmTemplate',
  'template:describeAlmTemplate',
];

const isAction = new Set(actions);

/** `createCredential` and `createCredentials` are the same, but `describeStack` and `describeStacks` are two actions. */
const inOtherNumber = (name: string): string[] => {
  const other = name.endsWith('s') ? name.slice(0, -1) : `${name}s`;
  return isAction.has(name) && isAction.has(other) ? [] : [other];
};

const inBothNumbers = (name: string): string[] => [name, ...inOtherNumber(name)];

const namesByAction = new Map(
  Object.entries(otherNames).map(([action, others]) => [
    action,
    [action, ...others].flatMap(inBothNumbers).map((name) => name.toLowerCase()),
  ]),
);

/** All names of an action, in lower case. An action that is not listed has its own. */
export const namesOfAction = (action: string): readonly string[] =>
  namesByAction.get(action) ?? inBothNumbers(action).map((name) => name.toLowerCase());

/** An action about credentials may name the vendor it is limited to: `cred:createCredential::aws`. */
export const splitVendor = (action: string): { name: string; vendor: string | null } => {
  const border = action.indexOf('::');
  if (border === -1) return { name: action, vendor: null };
  return { name: action.slice(0, border), vendor: action.slice(border + 2).toLowerCase() };
};

export const isOfOneVendor = (action: string): boolean => /^(cred|vendor):/.test(action);

/** The action as it is listed, whichever of its own names was given; without the vendor. */
export const listedAction = (text: string): string => {
  const { name } = splitVendor(text);
  if (isAction.has(name)) return name;
  const called = name.toLowerCase();
  const [only, ...others] = actions.filter((action) => namesOfAction(action).includes(called));
  // A name that several actions share, such as view:alm.stack, is not the name of any one of them.
  return only !== undefined && others.length === 0 ? only : name;
};

/** The listed actions that a pattern of a statement fits. */
export const actionsFitting = (pattern: string): readonly string[] => {
  const { name, vendor } = splitVendor(pattern);
  const fits = wildcard(name.toLowerCase());
  return actions.filter(
    (action) => (vendor === null || isOfOneVendor(action)) && namesOfAction(action).some(fits),
  );
};

/** What statements call the things they speak of. A stack is also known by its template. */
export const stackResources = (stackId: string): readonly string[] => [
  `mrn:alm:stack:${stackId}`,
  `mrn:alm:template:${stackId}`,
];

export const vendorResource = (vendor: string): string => `mrn:vendor:${vendor.toLowerCase()}`;

export const credentialResource = (vendor: string, id: string): string =>
  `${vendorResource(vendor)}:cred:${id}`;

/** How resource names begin. */
export const resourceKinds: readonly string[] = ['mrn:alm:stack:', 'mrn:alm:template:', 'mrn:vendor:'];
