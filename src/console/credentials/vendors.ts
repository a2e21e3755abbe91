interface VendorForm {
  /** As people write it. */
  name: string;
  about: string;
  id: { label: string; placeholder: string };
  secret: { label: string; hint: string };
  /** The role with which the cloud makes stacks, if the form asks for one. */
  role?: { label: string; placeholder: string; hint: string };
  /** Whether the form asks for the address of the cloud. */
  authUrl?: { placeholder: string };
}

const rosRole = {
  label: 'RAM role of ROS (optional)',
  placeholder: 'almanac-ros',
  hint: 'ROS then creates resources with the rights of this role of the same account, and the key needs few.',
};

/** What a credential of each vendor is made of. Secrets go in and never come out. */
export const vendors = {
  aws: {
    name: 'AWS',
    about: 'An access key of an AWS account',
    id: { label: 'Access key id', placeholder: 'AKIAIOSFODNN7EXAMPLE' },
    secret: { label: 'Secret access key', hint: 'Sealed on the server and never shown again.' },
    role: {
      label: 'Role of CloudFormation (optional)',
      placeholder: 'arn:aws:iam::123456789012:role/almanac-cloudformation',
      hint: 'CloudFormation then creates resources with the rights of this role, and the key needs few.',
    },
  },
  alicloud: {
    name: 'Alibaba Cloud',
    about: 'An AccessKey pair of a RAM user',
    id: { label: 'AccessKey id', placeholder: 'LTAI5tExampleKeyId' },
    secret: { label: 'AccessKey secret', hint: 'Sealed on the server and never shown again.' },
    role: rosRole,
  },
  sbcloud: {
    name: 'SBCloud',
    about: 'An AccessKey pair of a RAM user of SBCloud',
    id: { label: 'AccessKey id', placeholder: 'LTAI5tExampleKeyId' },
    secret: { label: 'AccessKey secret', hint: 'Sealed on the server and never shown again.' },
    role: rosRole,
  },
  openstack: {
    name: 'OpenStack',
    about: 'A user of a project, or an application credential',
    id: { label: 'User and project, or id of an application credential', placeholder: 'user@domain/project' },
    secret: { label: 'Password or secret', hint: 'Sealed on the server and never shown again.' },
    authUrl: { placeholder: 'https://cloud.example:5000/v3' },
  },
  k5: {
    name: 'K5',
    about: 'A user of a project; the domain is the number of the contract',
    id: { label: 'User and project', placeholder: 'user@contract/project' },
    secret: { label: 'Password', hint: 'Sealed on the server and never shown again.' },
    authUrl: { placeholder: 'https://identity.jp-east-1.cloud.global.fujitsu.com/v3' },
  },
  docker: {
    name: 'Docker',
    about: 'The container engine that the operator of the server has set up',
    id: { label: 'Name', placeholder: 'local' },
    secret: { label: 'Secret', hint: 'Any text: the engine asks for none.' },
  },
  sandbox: {
    name: 'Sandbox',
    about: 'A simulated cloud account that costs nothing',
    id: { label: 'Name', placeholder: 'trial' },
    secret: { label: 'Secret', hint: 'Any text: the sandbox asks for none.' },
  },
} satisfies Record<string, VendorForm>;

export type Vendor = keyof typeof vendors;

export const isVendor = (name: string): name is Vendor => name in vendors;

export const formOf = (vendor: Vendor): VendorForm => vendors[vendor];

/** Credentials of vendors that this server does not support can be kept as well. */
export const nameOf = (vendor: string): string => (isVendor(vendor) ? vendors[vendor].name : vendor);
