import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { signAws } from '../../../src/agent/cloud/sigv4.ts';

const keys = {
  AccessKeyId: 'ASIAFAKE',
  SecretAccessKey: 'fake-secret',
  Token: 'fake-session',
};

/** A fake metadata service (IMDSv2), Systems Manager, Auto Scaling and S3. Verifies sessions and signatures. */
export class FakeAws {
  readonly metadata = new Map<string, string>([
    ['instance-id', 'i-0123456789abcdef0'],
    ['placement/region', 'eu-central-1'],
    ['iam/security-credentials/', 'the-role\n'],
    ['iam/security-credentials/the-role', JSON.stringify(keys)],
  ]);
  readonly parameters = new Map<string, string>();
  readonly objects = new Map<string, Buffer>();
  /** Instances that wait in a hook, as `group hook instance`. Completed ones are moved to `completed`. */
  readonly waiting = new Set<string>();
  readonly completed: string[] = [];
  /** Increase to expire all sessions. */
  session = 1;
  readonly #server: Server = createServer((request, reply) => void this.#respond(request, reply));

  async start(): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    await new Promise((done) => this.#server.close(done));
  }

  async #respond(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const body = await text(request);
    const path = request.url ?? '';
    const end = (status: number, content: string | Buffer) => reply.writeHead(status).end(content);
    if (path === '/latest/api/token') return void end(200, `session-${this.session}`);
    if (path.startsWith('/latest/meta-data/')) {
      if (request.headers['x-aws-ec2-metadata-token'] !== `session-${this.session}`) return void end(401, '');
      const found = this.metadata.get(path.slice('/latest/meta-data/'.length));
      return void end(found === undefined ? 404 : 200, found ?? '');
    }
    const isPost = request.method === 'POST';
    if (body.startsWith('Action=')) return this.#completeHook(request, body, end);
    if (!this.#isSigned(request, isPost ? 'ssm' : 's3', body)) return void end(403, '<Code>Forged</Code>');
    if (!isPost) {
      const object = this.objects.get(decodeURIComponent(path));
      return void end(object ? 200 : 404, object ?? '<Error><Code>NoSuchKey</Code></Error>');
    }
    const value = this.parameters.get((JSON.parse(body) as { Name: string }).Name);
    if (value === undefined) return void end(400, '{"__type":"com.amazonaws#ParameterNotFound"}');
    end(200, JSON.stringify({ Parameter: { Value: value } }));
  }

  #completeHook(
    request: IncomingMessage,
    body: string,
    end: (status: number, content: string) => void,
  ): void {
    if (!this.#isSigned(request, 'autoscaling', body)) return end(403, '<Code>Forged</Code>');
    const form = new URLSearchParams(body);
    const key = ['AutoScalingGroupName', 'LifecycleHookName', 'InstanceId']
      .map((name) => form.get(name))
      .join(' ');
    const isValid =
      form.get('Action') === 'CompleteLifecycleAction' &&
      form.get('Version') === '2011-01-01' &&
      form.get('LifecycleActionResult') === 'CONTINUE';
    if (!isValid || !this.waiting.delete(key)) return end(400, '<Error><Code>ValidationError</Code></Error>');
    this.completed.push(key);
    end(200, '<CompleteLifecycleActionResponse/>');
  }

  #isSigned(request: IncomingMessage, service: string, body: string): boolean {
    const { host = '', authorization = '' } = request.headers;
    const date = String(request.headers['x-amz-date']).replace(
      /^(....)(..)(..T..)(..)(..Z)$/,
      '$1-$2-$3:$4:$5',
    );
    const signedHeaders = ['content-type', 'x-amz-target'].flatMap((name) => {
      const value = request.headers[name];
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
    const expected = signAws(
      { accessKeyId: keys.AccessKeyId, secretAccessKey: keys.SecretAccessKey, sessionToken: keys.Token },
      {
        method: request.method ?? '',
        url: `http://${host}${request.url ?? ''}`,
        service,
        region: 'eu-central-1',
        headers: Object.fromEntries(signedHeaders),
        body,
        now: Date.parse(date),
      },
    );
    return expected.authorization === authorization;
  }
}
