interface VendorForm {
  /** As people write it. */
  name: string;
  about: string;
  id: { label: string; placeholder: string };
  secret: { label: string; hint: string };
  /** Whether the form asks for the role of CloudFormation. */
  role?: true;
}

/** What a credential of each vendor is made of. Secrets go in and never come out. */
export const vendors = {
  aws: {
    name: 'AWS',
    about: 'An access key of an AWS account',
    id: { label: 'Access key id', placeholder: 'AKIAIOSFODNN7EXAMPLE' },
    secret: { label: 'Secret access key', hint: 'Sealed on the server and never shown again.' },
    role: true,
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
