import type { Run } from '../../command.ts';

/** A copy of examples/first-stack.json, which is not part of an installed alm. */
const sample = {
  version: '2017-03-03',
  label: 'first stack',
  description: 'One web server in its own subnet',
  vendor: { aws: { cred: 'SANDBOX', region: 'ap-northeast-1' } },
  configurations: [
    {
      role: 'web',
      flag: 'Web01',
      provision: {
        image: '${computed}',
        volume_type: '${computed}',
        instance_type: 't2.micro',
        instance_count: 1,
        keypair: true,
        subnet: { cidr: '10.0.0.0/24', public: true, auto_assign_public_ip: true },
        availability_zone: 'ap-northeast-1a',
      },
    },
  ],
};

export const printSample: Run = ({ out }) => out.document(JSON.stringify(sample));
