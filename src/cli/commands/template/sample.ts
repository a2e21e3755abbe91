import type { Run } from '../../command.ts';

/** The same as examples/first-stack.json, for whoever has this program alone. */
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
        // oxlint-disable-next-line no-template-curly-in-string -- the template's own language
        image: '${computed}',
        // oxlint-disable-next-line no-template-curly-in-string
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
