import { vi } from 'vitest';
import { rolloutContract } from '../vendors/rollout-contract.ts';
import { describeOnOverlay, startOverlay } from './world/simulator.ts';

describeOnOverlay('an application', () =>
  rolloutContract('AWS (on moto with the overlay, with reports of agents by the test)', async () => {
    const simulator = await startOverlay({ delaySeconds: 0 });
    // The SDK reads it from the environment of the process.
    vi.stubEnv('AWS_ENDPOINT_URL', simulator.url);
    return {
      environment: { ALM_AWS_POLL_SECONDS: '1' },
      credential: {
        vendor: 'aws',
        credentials: { AWSAccessKeyId: 'AKIAROLLOUTS', AWSSecretKey: 'secret', AWSAccountName: 'moto' },
      },
      vendor: { aws: { cred: 'AKIAROLLOUTS', region: 'ap-northeast-1' } },
      instanceType: 't3.micro',
      stop: async () => {
        vi.unstubAllEnvs();
        await simulator.stop();
      },
    };
  }),
);
