import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { queryText, signAcs3 } from '../../../src/agent/cloud/acs3.ts';
import { realClock } from '../../../src/basics/clock.ts';
import { randomHex } from '../../../src/basics/random.ts';
import { dataFolder, toolsFolder } from './tools.ts';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

interface Keys {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}
interface Call {
  version: string;
  action: string;
  query?: Readonly<Record<string, string>>;
  body?: Readonly<Record<string, string>>;
}
type Answer = Record<string, unknown>;

export interface Tag {
  Key: string;
  Value: string;
}
/** Things by kind and id. */
type RegionWorld = Record<string, Record<string, Record<string, unknown>>>;

/** The parts of the double's world that tests look at. */
interface DoubleState {
  stacks: Record<string, { name: string; status: string; tags: Tag[]; template: { Outputs?: object } }>;
  secrets: Record<string, { name: string; value: string }>;
  /** By account and region. */
  world: Record<string, Record<string, RegionWorld>>;
}

export const doubleKeys: Keys = { accessKeyId: 'LTAIdouble', secretAccessKey: 'doublesecret' };

/** The double of ROS and its neighbours, in a process of its own. It verifies every signature. */
export class Double {
  readonly keys = doubleKeys;
  readonly url: string;
  readonly #process: ChildProcess;

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#process = child;
  }

  static async start(): Promise<Double> {
    const port = await freePort();
    const file = join(toolsFolder, 'server.mjs');
    const child = spawn(process.execPath, [file, '--data', dataFolder, '--port', String(port)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    return new Double(`http://127.0.0.1:${port}`, child);
  }

  async stop(): Promise<void> {
    this.#process.kill();
    if (this.#process.exitCode === null) await once(this.#process, 'exit');
  }

  /** Throws the code of a refusal. */
  async call({ version, action, query = {}, body = {} }: Call, keys = this.keys): Promise<Answer> {
    const url = `${this.url}/?${queryText(query)}`;
    const form = queryText(body);
    const signed = signAcs3(keys, {
      method: 'POST',
      url,
      action,
      version,
      body: form,
      now: realClock.now(),
      nonce: randomHex(32),
    });
    const headers = { ...signed, 'content-type': 'application/x-www-form-urlencoded' };
    const response = await fetch(url, { method: 'POST', headers, body: form });
    const answer = (await response.json()) as Answer;
    if (!response.ok) throw new Error(`${String(answer['Code'])}: ${String(answer['Message'])}`);
    return answer;
  }

  async control(path: string, content: object): Promise<void> {
    await this.#send('POST', path, content);
  }

  /** Calls by service and action since the last `clear('calls')`. */
  calls = async (): Promise<Record<string, number>> =>
    (await this.#send('GET', 'calls')) as Record<string, number>;

  clear = async (path: 'calls' | 'faults'): Promise<void> => void (await this.#send('DELETE', path));

  async state(): Promise<DoubleState> {
    return (await this.#send('GET', 'state')) as DoubleState;
  }

  /** What is in each region. */
  worlds = async (): Promise<RegionWorld[]> =>
    Object.values((await this.state()).world).flatMap((byRegion) => Object.values(byRegion));

  async #send(method: string, path: string, content?: object): Promise<unknown> {
    const body = content ? { body: JSON.stringify(content) } : {};
    const response = await fetch(`${this.url}/_double/${path}`, { method, ...body });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  }
}
