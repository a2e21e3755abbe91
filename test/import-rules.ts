/** Which folder may import which. `*` stands for one name. A folder may always import from itself. */
export const mayImport: Readonly<Record<string, readonly string[]>> = {
  basics: [],
  model: ['basics'],
  languages: ['model', 'basics'],
  'docker-engine': ['basics'],
  vendors: ['model', 'basics', 'docker-engine'],
  store: ['vendors/vendor', 'model', 'basics'],
  reconcile: ['vendors/vendor', 'vendors/index', 'store', 'model', 'basics'],
  ssh: ['basics'],
  openid: ['basics'],
  operations: [
    'languages',
    'ssh',
    'openid',
    'vendors/vendor',
    'vendors/drift',
    'vendors/index',
    'store',
    'model',
    'basics',
  ],
  contract: ['languages/*/schema', 'model/actions', 'model/client-kinds', 'model/status', 'basics'],
  server: ['contract', 'operations', 'basics'],
  agent: ['contract', 'docker-engine', 'model/hook-name', 'basics'],
  cli: ['contract', 'basics'],
  // Where everything is wired together.
  almanac: ['*'],
};

/**
 * Inside a folder: which subfolder may import which sibling. A subfolder may always import itself and the files beside the
 * subfolders. `shared` of a folder is for all of them.
 */
export const mayImportSibling: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  agent: { deploy: ['code', 'cloud', 'service'], code: ['cloud'], cloud: ['service'], service: [] },
  cli: {
    args: [],
    settings: ['args'],
    net: ['settings', 'args'],
    view: ['args'],
    files: ['net'],
    prompt: [],
    stores: ['net', 'settings', 'args', 'view'],
    follow: ['net', 'view'],
    terminal: ['net', 'settings', 'stores'],
    registry: ['net', 'settings', 'stores', 'prompt'],
    commands: [
      'args',
      'files',
      'net',
      'view',
      'prompt',
      'settings',
      'stores',
      'follow',
      'terminal',
      'registry',
      'completion',
    ],
    groups: ['args', 'commands'],
    help: ['args', 'settings'],
    completion: ['args', 'net', 'settings', 'stores', 'view'],
  },
  contract: { v3: [], v2: ['v3'] },
  operations: {
    access: [],
    'sign-in': ['access', 'audit'],
    accounts: ['access', 'audit', 'credentials'],
    agents: ['access', 'stacks'],
    audit: ['access', 'credentials', 'documents', 'stacks'],
    credentials: ['access', 'agents'],
    ssh: ['access', 'sign-in', 'agents', 'audit', 'stacks'],
    documents: [],
    stacks: ['access', 'credentials', 'documents'],
    start: ['accounts'],
  },
  'operations/stacks': { submit: [], read: ['submit'], change: ['submit', 'read'], settle: ['submit'] },
  server: {
    http: [],
    operational: ['http'],
    terminal: ['http'],
    shared: ['http', 'terminal'],
    v2: ['http', 'shared'],
    v3: ['http', 'shared'],
  },
  store: {
    database: ['migrations'],
    migrations: [],
    access: ['database', 'stacks'],
    stacks: ['database'],
    ssh: ['database'],
  },
  'vendors/aws': {
    permissions: [],
    layout: [],
    compile: ['layout'],
    check: ['compile', 'layout'],
    choose: ['layout'],
    observe: [],
    act: ['observe'],
    forecast: ['act', 'observe'],
  },
  'vendors/docker': {
    compile: [],
    check: ['compile'],
    plan: [],
    observe: ['plan'],
    act: ['observe', 'plan'],
  },
  'vendors/sandbox': { compile: [], plan: [], act: ['plan'] },
};

/** Packages that only one place may know. */
export const packageHomes: Readonly<Record<string, RegExp>> = {
  kysely: /^store\//,
  libsql: /^store\/database\/sqlite/,
  pg: /^store\/database\/postgres/,
  fastify: /^server\//,
  '@node-rs/argon2': /^operations\/access\/secret-hash/,
  '@zxcvbn-ts/core': /^operations\/access\/password-rules/,
  '@zxcvbn-ts/language-common': /^operations\/access\/password-rules/,
  yaml: /^languages\/|^cli\//,
  ssh2: /^ssh\//,
  'openid-client': /^openid\//,
  'tar-stream': /^docker-engine\/tar/,
  aws4: /^agent\/cloud\/sigv4/,
  ws: /^server\/terminal\/|^cli\/terminal/,
  '@aws-cdk/cloudformation-diff': /^vendors\/aws\//,
};

/** Words that only one place may use, because everywhere else has it handed in. */
export const wordHomes: readonly [word: RegExp, why: string, home: RegExp][] = [
  [/\bprocess\.env\b/, 'settings come from basics/config', /^(almanac|cli)\/main/],
  [/\bDate\.now\b|\bnew Date\(\)/, 'time comes from the clock', /^basics\/clock/],
  [
    /\bsetTimeout\b|\bsetInterval\b/,
    'time comes from the clock',
    /^basics\/clock|^store\/database\/postgres/,
  ],
  [/\bMath\.random\b/, 'randomness comes from basics/random', /^$/],
  [/\bexport \* from\b/, 'no barrel files', /^$/],
  [/'@aws-sdk\//, 'a cloud is known to its vendor alone', /^vendors\/aws\//],
];
