import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServedAlmanac } from '../../api/served-almanac.ts';
import { chooseImages } from '../../api/stand-in-images.ts';
import { oneServer } from '../../world.ts';
import { AlmUser } from '../alm.ts';
import { PtySession } from '../pty.ts';

let almanac: ServedAlmanac;
let root: AlmUser;
let stackId: string;
const images = { newest: 'ami-1' };
beforeAll(async () => {
  almanac = await ServedAlmanac.start();
  chooseImages(almanac.service, images);
  root = new AlmUser({ ALM_URL: almanac.url, ALM_TOKEN: await almanac.userToken() });
  stackId = await almanac.applyTemplate(oneServer(1));
  await almanac.waitFor(stackId, 'CREATE_COMPLETE');
});
afterAll(async () => {
  root.close();
  await almanac.close();
});

const refresh = (flags: readonly string[]) => root.run(['stack', 'refresh-images', stackId, ...flags]);
const statusOf = async () => (await almanac.describe(stackId)).stack_status;

describe('alm stack refresh-images (the list of images is a stand-in)', () => {
  it('says that there is nothing to do', async () => {
    const { code, stderr } = await refresh([]);
    expect(code).toBe(0);
    expect(stderr).toContain('web0: ami-1: already the newest');
    expect(stderr).toContain('There are no newer images; nothing was changed.');
  });

  it('shows old and new image, and replaces servers only after a confirmation', async () => {
    images.newest = 'ami-2';
    const preview = await refresh(['--preview']);
    expect(preview.stderr).toContain('web0: ami-1 -> ami-2: ALL ITS SERVERS ARE REPLACED');
    expect(JSON.parse(preview.stdout)).toMatchObject({ images: [{ flag: 'web0', newest: 'ami-2' }] });
    const refused = await refresh([]);
    expect(refused.code).toBe(7);
    expect(refused.stderr).toContain('--replace-servers');
    expect(await statusOf()).toBe('CREATE_COMPLETE');
    const session = new PtySession(root, ['stack', 'refresh-images', stackId, '--wait']);
    await session.shows('Type "replace"', 60);
    session.type('replace\r');
    expect(await session.ended(60)).toBe(0);
    expect(await statusOf()).toBe('UPDATE_COMPLETE');
  });

  it('replaces servers without a question if the flag says so', async () => {
    images.newest = 'ami-3';
    const { code, stdout } = await refresh(['--replace-servers', '--wait']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ stack_id: stackId, stack_status: 'UPDATE_COMPLETE' });
  });
});
