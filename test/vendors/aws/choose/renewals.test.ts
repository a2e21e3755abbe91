import { describe, expect, it } from 'vitest';
import type { Layer, StackModel } from '../../../../src/model/stack-model.ts';
import { chooseFor } from '../../../../src/vendors/aws/choose.ts';
import type { AwsDocument } from '../../../../src/vendors/aws/document.ts';
import { chosenImages } from '../../../../src/vendors/aws/refresh.ts';
import { sampleGroup, sampleModel } from '../../sample-model.ts';
import { type CannedWorld, cannedRegion, cannedWorld } from '../canned-clients.ts';
import { awsError } from '../canned-groups.ts';
import { documentOf } from '../compile/world.ts';

const parameter = '/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-x86_64';
const zones = ['ap-northeast-1a', 'ap-northeast-1c'];

/** The clock of the canned region stands at the beginning of 2030. */
const certificate = (name: string, end: string) => ({
  CertificateArn: `arn:${name}`,
  DomainName: 'www.example.com',
  NotAfter: new Date(end),
});

const worldWith = (image: string, ...certificates: CannedWorld['certificates']): CannedWorld =>
  cannedWorld({
    zones,
    types: { 't3.micro': { runs: ['x86_64'], zones }, 't3a.micro': { runs: ['x86_64'], zones } },
    parameters: { [parameter]: image },
    images: [{ ImageId: image, Architecture: 'x86_64', RootDeviceName: '/dev/xvda' }],
    certificates,
  });

const secure = (): Layer => {
  const group = sampleGroup(1, 0);
  const listener = { port: 443, protocol: 'https', instancePort: 80, instanceProtocol: 'http' } as const;
  return {
    ...group,
    loadBalancer: {
      ...group.loadBalancer!,
      listeners: [{ ...listener, certificateDomain: 'www.example.com' }],
    },
  };
};
const model: StackModel = sampleModel({ layers: [secure()] });

async function chosen(world: CannedWorld, before: AwsDocument | null): Promise<AwsDocument> {
  const outcome = await chooseFor(cannedRegion(world), model, before);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  return documentOf(model, { choices: outcome.value });
}
const arnIn = ({ choices }: AwsDocument) => choices.certificates['www.example.com'];

describe('the certificate of a listener (Certificate Manager is a fake)', () => {
  const first = certificate('first', '2031-01-01');

  it('stays the same as long as it is valid, even if another one lasts longer', async () => {
    const before = await chosen(worldWith('ami-1', first), null);
    expect(arnIn(before)).toBe('arn:first');
    const longer = worldWith('ami-1', first, certificate('longer', '2032-01-01'));
    expect(arnIn(await chosen(longer, before))).toBe('arn:first');
  });

  it('is replaced by a newer one at the next update, once it expires within 30 days or has expired', async () => {
    const old = certificate('old', '2030-01-20');
    const before = await chosen(worldWith('ami-1', old), null);
    const renewed = certificate('renewed', '2031-02-01');
    expect(arnIn(await chosen(worldWith('ami-1', old, renewed), before))).toBe('arn:renewed');
    expect(arnIn(await chosen(worldWith('ami-1', renewed), before))).toBe('arn:renewed');
  });

  it('stays if it has expired and there is no other: an update must not fail because of it', async () => {
    const before = await chosen(worldWith('ami-1', first), null);
    expect(arnIn(await chosen(worldWith('ami-1'), before))).toBe('arn:first');
  });

  it.each<[string, Partial<CannedWorld>, string]>([
    [
      'the permission is missing',
      { refusals: { listCertificates: awsError('AccessDeniedException', 'not authorized', 400) } },
      'not authorized',
    ],
    [
      'Certificate Manager fails',
      { refusals: { listCertificates: awsError('InternalFailure', 'oops', 500) } },
      'AWS answered 500',
    ],
    [
      'Certificate Manager does not answer',
      { silent: ['listCertificates'] },
      'AWS did not answer within 5 seconds.',
    ],
  ])('stays with a note, and does not block an update, if %s', async (_, failure, reason) => {
    const before = await chosen(worldWith('ami-1', first), null);
    const after = await chosen({ ...worldWith('ami-1'), ...failure }, before);
    expect(arnIn(after)).toBe('arn:first');
    expect(after.notes).toEqual([
      expect.stringContaining(
        'The certificates of www.example.com could not be checked in ap-northeast-1 and stay the same. ',
      ),
    ]);
    expect(after.notes?.[0]).toContain(reason);
  });

  it('must be found for a new domain: without the permission, the stack is refused', async () => {
    const refusals = { listCertificates: awsError('AccessDeniedException', 'not authorized', 400) };
    await expect(chosen({ ...worldWith('ami-1'), refusals }, null)).rejects.toThrow('not authorized');
  });
});

describe('forgetting the choices that become old', () => {
  it('chooses the newest image and the certificate that lasts longest, and keeps everything else', async () => {
    const before = await chosen(worldWith('ami-1', certificate('first', '2031-01-01')), null);
    const later = worldWith('ami-2', certificate('first', '2031-01-01'), certificate('longer', '2032-01-01'));
    const kept = await chosen(later, before);
    expect(chosenImages.read(kept)).toEqual({ Web0: 'ami-1' });
    const after = await chosen(later, chosenImages.forget(before) as AwsDocument);
    expect(chosenImages.read(after)).toEqual({ Web0: 'ami-2' });
    expect(arnIn(after)).toBe('arn:longer');
    const unchanged = ({ choices }: AwsDocument) => [choices.zones, choices.places, choices.cidrs];
    expect(unchanged(after)).toEqual(unchanged(before));
  });
});
