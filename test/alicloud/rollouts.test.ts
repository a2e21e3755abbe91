import { rolloutContract } from '../vendors/rollout-contract.ts';
import { Double, doubleKeys } from './world/double.ts';

rolloutContract('Alibaba Cloud (on a double of ROS, with reports of agents by the test)', async () => {
  const double = await Double.start();
  await double.control('settings', { vpcQuota: 1000 });
  return {
    environment: { ALM_ALICLOUD_ENDPOINT: double.url, ALM_ALICLOUD_POLL_SECONDS: '1' },
    credential: {
      vendor: 'alicloud',
      credentials: {
        AliCloudAccessKeyId: doubleKeys.accessKeyId,
        AliCloudSecretKey: doubleKeys.secretAccessKey,
        AliCloudAccountName: 'double',
      },
    },
    vendor: {
      alicloud: { cred: doubleKeys.accessKeyId, region: 'ap-northeast-1', avail_zone: 'ap-northeast-1a' },
    },
    instanceType: 'ecs.g7.large',
    stop: () => double.stop(),
  };
});
