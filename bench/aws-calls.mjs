// Calls of AWS while a few stacks of ours are looked at among thousands of others. See README.md.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { resolve } from 'node:path';

const [foreign = 5000, own = 3, rounds = 4] = process.argv.slice(2).map(Number);
const overlayFile = resolve(
  process.env.ALM_MOTOPLUS ?? new URL('../../shared/tools/motoplus.py', import.meta.url).pathname,
);
const python = process.env.ALM_TEST_PYTHON;
if (!python) throw new Error('Run this through scripts/with-moto.sh.');

/** Fills the simulated account before it serves: creating thousands of stacks through its API takes minutes. */
const program = `
import json, runpy, sys, threading
sys.argv = sys.argv[1:]
def fill():
    import time, boto3
    client = boto3.client('cloudformation', region_name='ap-northeast-1', endpoint_url='http://127.0.0.1:' + sys.argv[-1],
        aws_access_key_id='AKIAFOREIGN', aws_secret_access_key='x')
    body = json.dumps({'Resources': {'Handle': {'Type': 'AWS::CloudFormation::WaitConditionHandle'}}})
    for attempt in range(600):
        try: client.describe_stacks(); break
        except Exception: time.sleep(0.1)
    client.create_stack(StackName='foreign-0', TemplateBody=body)
    import moto.cloudformation.models as M, copy
    backend = M.cloudformation_backends['123456789012']['ap-northeast-1']
    while True:
        first = next((s for s in backend.stacks.values() if s.name == 'foreign-0'), None)
        if first is not None and first.status == 'CREATE_COMPLETE': break
        time.sleep(0.1)
    for number in range(1, ${foreign}):
        other = copy.copy(first)
        other.name, other.stack_id, other.seq = f'foreign-{number}', f'{first.stack_id}-{number}', 1000000 + number
        backend.stacks[other.stack_id] = other
    print('filled', flush=True)
threading.Thread(target=fill, daemon=True).start()
runpy.run_path(sys.argv[0], run_name='__main__')
`;

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

async function startCloud() {
  const port = await freePort();
  const child = spawn(python, ['-c', program, overlayFile, '-H', '127.0.0.1', '-p', String(port)], {
    env: { PATH: process.env.PATH, MOTOPLUS_DELAY: '0', MOTOPLUS_VPC_LIMIT: '1000' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await new Promise((done, fail) => {
    child.stdout.on('data', (chunk) => String(chunk).includes('filled') && done());
    child.once('exit', () => fail(new Error('The simulator ended.')));
  });
  process.env.AWS_ENDPOINT_URL = `http://127.0.0.1:${port}`;
  return () => child.kill('SIGKILL');
}

const model = (await import('../dist/model/stack-model.js')).freeze({
  region: 'ap-northeast-1',
  networkCidr: '10.0.0.0/16',
  layers: [
    {
      flag: 'Web0',
      role: 'web',
      zone: null,
      instanceType: null,
      machineImage: null,
      volume: { type: null, sizeGib: null },
      keyPair: false,
      subnet: { cidr: '10.0.0.0/24', public: true, assignPublicIp: true },
      networkAcl: [],
      securityGroup: { ingress: [], egress: [] },
      capacity: { kind: 'fixed', count: 1 },
      loadBalancer: null,
      container: null,
    },
  ],
  databases: [],
  caches: [],
});

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** Creates our stacks with one build, or only observes them, and prints the calls of each round. */
async function measure(name, dist, stacks) {
  const { awsVendor } = await import(`${dist}/vendors/aws/vendor.js`);
  const { Secret } = await import(`${dist}/basics/secret.js`);
  const calls = new Map();
  const clock = {
    offset: 0,
    now: () => Date.now() + clock.offset,
    after: (ms, then) => {
      const timer = setTimeout(() => then(), ms);
      return () => clearTimeout(timer);
    },
  };
  const vendor = awsVendor({
    clock,
    baseUrl: () => 'https://almanac.example',
    pollSeconds: 5,
    countCall: (service, operation) =>
      calls.set(`${service}:${operation}`, (calls.get(`${service}:${operation}`) ?? 0) + 1),
  });
  const secret = new Secret('secret');
  const access = { accountId: 'bench', credentialId: 'AKIABENCH', secret, role: null };
  const driver = vendor.connect(access);
  if (stacks.length === 0) {
    const chosen = await vendor.choose(access, model, null);
    for (let number = 0; number < own; number += 1) {
      const stack = { id: `mo-0000000000000-bench${number}-tk`, accountId: 'bench', region: model.region };
      const document = vendor.compile(model, stack.id, chosen.value).value;
      await driver.apply(stack, { document, version: 'v1', agentToken: secret });
      stacks.push(stack);
    }
    while (
      !(await Promise.all(stacks.map((stack) => driver.observe(stack)))).every(
        ({ kind }) => kind === 'settled',
      )
    ) {
      await sleep(200);
      clock.offset += 10_000;
    }
  }
  const perRound = [];
  for (let round = 0; round < rounds; round += 1) {
    clock.offset += 10_000;
    calls.clear();
    const began = performance.now();
    await Promise.all(stacks.map((stack) => driver.observe(stack)));
    perRound.push({ ms: performance.now() - began, calls: Object.fromEntries(calls) });
  }
  console.log(`${name}: first round ${JSON.stringify(perRound[0].calls)}`);
  const last = perRound.at(-1);
  console.log(`${name}: later rounds ${JSON.stringify(last.calls)}, ${last.ms.toFixed(0)} ms`);
}

const stop = await startCloud();
try {
  console.log(`${own} of our stacks among ${foreign} of others; one round looks at each of ours once`);
  const stacks = [];
  await measure('this build', '../dist', stacks);
  if (process.env.BASE_DIST) await measure('baseline', resolve(process.env.BASE_DIST), stacks);
} finally {
  stop();
}
