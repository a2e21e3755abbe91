import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EngineError } from '../../src/docker-engine/errors.ts';
import { packFiles } from '../../src/docker-engine/tar.ts';
import { EngineWorld } from './world/engine-world.ts';

const world = new EngineWorld();
const { containers, images } = world.engine;
let box = '';

beforeAll(async () => {
  box = await world.idle({ name: 'box' });
});
afterAll(() => world.clear());

describe('exec in a container', () => {
  it('returns both outputs and the exit code', async () => {
    const result = await world.exec(box, 'sh', '-c', 'echo höre; echo fehler >&2; exit 4');
    expect(result).toEqual({ exitCode: 4, stdout: 'höre\n', stderr: 'fehler\n' });
  });

  it('passes input, environment, user and directory', async () => {
    const argv = ['sh', '-c', 'cat; echo "$WHO $(id -un) $(pwd)"'];
    const options = { input: 'line\n', environment: { WHO: 'me' }, user: 'nobody', workingDirectory: '/tmp' };
    expect(await containers.exec(box, argv, options)).toMatchObject({ stdout: 'line\nme nobody /tmp\n' });
  });

  it('transfers megabytes of input and output', async () => {
    const { stdout } = await world.exec(box, 'seq', '1', '200000');
    expect(stdout.split('\n').slice(-3)).toEqual(['199999', '200000', '']);
    const input = Buffer.alloc(3_000_000, 'x');
    expect((await containers.exec(box, ['wc', '-c'], { input })).stdout.trim()).toBe('3000000');
  });

  it('streams output while the process runs', async () => {
    const running = await containers.execStream(box, ['sed', '-u', 's/^/> /']);
    running.input.write('one\n');
    const [first] = (await running.stdout.iterator({ destroyOnReturn: false }).next()).value
      .toString()
      .split('\n');
    expect(first).toBe('> one');
    running.input.end('two\n');
    const rest: Buffer[] = [];
    running.stderr.resume();
    for await (const chunk of running.stdout) rest.push(chunk as Buffer);
    expect(Buffer.concat(rest).toString()).toBe('> two\n');
    expect(await running.exitCode).toBe(0);
  });

  it('waits for a process that closes its outputs early', async () => {
    const result = await world.exec(box, 'sh', '-c', 'exec >&- 2>&-; sleep 0.3; exit 5');
    expect(result.exitCode).toBe(5);
  });

  it('fails for an unknown program and for a stopped container', async () => {
    const missing = world.exec(box, 'no-such-program').then(
      ({ exitCode }) => exitCode,
      (error: EngineError) => error.status,
    );
    expect([126, 127, 400, 500]).toContain(await missing);
    const stopped = await world.create({ name: 'stopped', role: 'instance' });
    await expect(world.exec(stopped, 'true')).rejects.toBeInstanceOf(EngineError);
  });

  it('stops when the caller aborts', async () => {
    const stop = new AbortController();
    const running = containers.exec(box, ['sleep', '60'], { signal: stop.signal });
    stop.abort(new Error('aborted'));
    await expect(running).rejects.toThrow('aborted');
  });
});

describe('files of a container', () => {
  it('can be put before the first start, with mode and owner, and read back', async () => {
    const id = await world.create({ name: 'files', role: 'instance', entrypoint: ['sleep', '60'] });
    const long = `/srv/${'deep/'.repeat(30)}file.txt`;
    await containers.putFiles(id, [
      { path: '/etc/almanac/secret', content: 'ßecret', mode: 0o600, owner: { uid: 65534, gid: 65534 } },
      { path: '/etc/almanac/empty', content: '' },
      { path: long, content: Buffer.alloc(100_000, 7) },
    ]);
    await containers.start(id);
    expect(await world.stdout(id, 'stat', '-c', '%a %u %g %s', '/etc/almanac/secret')).toBe(
      '600 65534 65534 7',
    );
    expect((await containers.readFile(id, '/etc/almanac/secret'))?.toString()).toBe('ßecret');
    expect((await containers.readFile(id, '/etc/almanac/empty'))?.length).toBe(0);
    expect((await containers.readFile(id, long))?.equals(Buffer.alloc(100_000, 7))).toBe(true);
    expect(await containers.readFile(id, '/etc/almanac/none')).toBeUndefined();
  });

  it('do not change existing directories', async () => {
    await world.exec(box, 'sh', '-c', 'mkdir /kept && chmod 711 /kept && chown 9:9 /kept');
    await containers.putFiles(box, [{ path: '/kept/file', content: 'x' }]);
    expect(await world.stdout(box, 'stat', '-c', '%a %u', '/kept')).toBe('711 9');
  });

  it('can be imported as an image', async () => {
    const reference = `${world.prefix}/imported:v2`;
    const id = await images.import(await packFiles([{ path: '/hello', content: 'world' }], 0), reference);
    expect(await images.inspect(reference)).toMatchObject({ id });
    expect(await images.remove(reference)).toBe(true);
  });
});
