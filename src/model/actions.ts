import { wildcard } from './wildcard.ts';

/**
 * All actions that roles can use, with their aliases: those of the older interface, and the later `<verb>:<thing>` names.
 * A pattern matches an action when it matches any of its names.
 */
const aliases = {
  'stack:describeStacks': ['view:alm.stack'],
  'stack:describeStack': ['view:alm.stack'],
  'stack:describeContainers': ['view:alm.stack'],
  // The key gives full control of the instances, so permission to view is not enough.
  'stack:describePem': ['edit:alm.stack'],
  // Applications may write anything into their logs, so permission to view is not enough.
  'stack:readLogs': ['edit:alm.stack'],
  'stack:deleteStack': ['delete:alm.stack'],
  'template:createAlmTemplate': ['stack:createStack', 'create:alm.stack', 'create:alm.template'],
  'template:updateAlmTemplate': ['stack:updateStack', 'edit:alm.stack', 'edit:alm.template'],
  'template:describeAlmTemplate': ['view:alm.template'],
  'vendor:describeVendors': [],
  'cred:describeCredentials': ['view:credentials'],
  'cred:createCredential': ['create:credentials'],
  'cred:deleteCredential': ['delete:credentials'],
  'secret:describeSecrets': ['view:alm.secret'],
  'secret:setSecret': ['create:alm.secret', 'edit:alm.secret'],
  // A container can show what it gets, so permission to view the names is not enough.
  'secret:useSecret': [],
  'secret:deleteSecret': ['delete:alm.secret'],
  'registry:pull': ['view:alm.registry'],
  'registry:push': ['create:alm.registry', 'edit:alm.registry'],
  'registry:delete': ['delete:alm.registry'],
  'registry:catalog': ['view:alm.registry'],
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
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Action = keyof typeof aliases;

export const actions: readonly string[] = Object.keys(aliases);

/** Actions on a single stack: its owner is who created it. */
const actionsOnOwnedStacks: readonly string[] = [
  'stack:describeStacks',
  'stack:describeStack',
  'stack:describeContainers',
  'stack:describePem',
  'stack:readLogs',
  'stack:deleteStack',
  'template:updateAlmTemplate',
  'template:describeAlmTemplate',
];

/** Actions on a repository: its owner is the user whose namespace it is in. */
const actionsOnRepositories: readonly string[] = ['registry:pull', 'registry:push', 'registry:delete'];

/** Actions on a secret: its owner is who created it. */
export const actionsOnSecrets: readonly string[] = [
  'secret:setSecret',
  'secret:useSecret',
  'secret:deleteSecret',
];

/** Decided for one repository: users own a namespace, whatever their roles name. */
export const isRepositoryAction = (action: string): boolean => actionsOnRepositories.includes(action);

/** Actions on one resource that has an owner: a condition on the owner applies to these. */
export const actionsWithOwner: readonly string[] = [
  ...actionsOnOwnedStacks,
  ...actionsOnRepositories,
  ...actionsOnSecrets,
];

/** Actions on users, roles and their attachments: the routes are for the master alone, whatever the roles of others name. */
export const isMasterAction = (action: string): boolean => /^(role|user|userrole):/.test(action);

/** Decided for one stack; creating is decided before there is one. */
export const isStackAction = (action: string): boolean => actionsOnOwnedStacks.includes(action);

const isAction = new Set(actions);

/** `createCredential` and `createCredentials` are the same, but `describeStack` and `describeStacks` are two actions. */
const otherNumberOf = (name: string): string[] => {
  const other = name.endsWith('s') ? name.slice(0, -1) : `${name}s`;
  return isAction.has(name) && isAction.has(other) ? [] : [other];
};

const inBothNumbers = (name: string): string[] => [name, ...otherNumberOf(name)];

const namesByAction = new Map(
  Object.entries(aliases).map(([action, names]) => [
    action,
    [action, ...names].flatMap(inBothNumbers).map((name) => name.toLowerCase()),
  ]),
);

/** All names of an action, in lower case. An unlisted action has only its own. */
export const namesOfAction = (action: string): readonly string[] =>
  namesByAction.get(action) ?? inBothNumbers(action).map((name) => name.toLowerCase());

/** An action on credentials may be limited to one vendor: `cred:createCredential::aws`. */
export const splitVendor = (action: string): { name: string; vendor: string | null } => {
  const separator = action.indexOf('::');
  if (separator === -1) return { name: action, vendor: null };
  return { name: action.slice(0, separator), vendor: action.slice(separator + 2).toLowerCase() };
};

export const isVendorAction = (action: string): boolean => /^(cred|vendor):/.test(action);

/** The listed name of an action given by any of its names, without the vendor. */
export const canonicalAction = (text: string): string => {
  const { name } = splitVendor(text);
  if (isAction.has(name)) return name;
  const lowerCase = name.toLowerCase();
  const [only, ...others] = actions.filter((action) => namesOfAction(action).includes(lowerCase));
  // A name that several actions share, such as view:alm.stack, does not identify one of them.
  return only !== undefined && others.length === 0 ? only : name;
};

/** The listed actions that a pattern matches. */
export const actionsMatching = (pattern: string): readonly string[] => {
  const { name, vendor } = splitVendor(pattern);
  const matches = wildcard(name.toLowerCase());
  return actions.filter(
    (action) => (vendor === null || isVendorAction(action)) && namesOfAction(action).some(matches),
  );
};

/** Resource names of a stack: it is also known by its template. */
export const stackResources = (stackId: string): readonly string[] => [
  `mrn:alm:stack:${stackId}`,
  `mrn:alm:template:${stackId}`,
];

export const vendorResource = (vendor: string): string => `mrn:vendor:${vendor.toLowerCase()}`;

export const credentialResource = (vendor: string, id: string): string =>
  `${vendorResource(vendor)}:cred:${id}`;

export const secretResource = (name: string): string => `mrn:alm:secret:${name}`;

export const repositoryResource = (repository: string): string => `mrn:registry:${repository}`;

/** Prefixes of resource names. */
export const resourceKinds: readonly string[] = [
  'mrn:alm:stack:',
  'mrn:alm:template:',
  'mrn:alm:secret:',
  'mrn:vendor:',
  'mrn:registry:',
];
