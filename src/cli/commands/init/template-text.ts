export const kinds = ['server', 'web', 'database', 'docker'] as const;
export type Kind = (typeof kinds)[number];

export interface Answers {
  kind: Kind;
  name: string;
  /** Container image; empty: none. */
  image: string;
  cred: string;
  region: string;
}

const descriptions: Readonly<Record<Kind, string>> = {
  server: 'One web server',
  web: 'Web servers behind a load balancer',
  database: 'Web servers behind a load balancer, with a database',
  docker: 'Containers behind a load balancer, on one machine',
};

/** A text as YAML reads it, whatever characters it has. */
const quoted = (text: string): string => JSON.stringify(text);

const head = ({
  kind,
  name,
  cred,
  region,
}: Answers): string => `# Check it again:   alm template preview <this file>
# Create or update: alm up <this file>
# All members:      docs/templates.md, or alm template schema
version: 2017-03-03
name: ${quoted(name)}   # alm up finds the stack by it; all commands accept it in place of the id
label: ${quoted(name)}
description: ${descriptions[kind]}
vendor:
  ${kind === 'docker' ? 'docker' : 'aws'}:
    cred: ${quoted(cred)}   # ${cred === 'SANDBOX' ? 'the simulated cloud; ' : ''}alm creds list shows yours
    region: ${quoted(region)}
configurations:
  - role: web
    flag: Web   # name of the layer, as in: alm stack ssh --flag Web
    provision:
      image: \${computed}   # the newest system image of the vendor
      volume_type: \${computed}`;

const oneServer = `      instance_type: t2.micro
      instance_count: 1
      keypair: true   # alm stack pem prints the key
      subnet: { cidr: 10.0.0.0/24, public: true, auto_assign_public_ip: true }
      security_group:
        ingress:
          - { ip_protocol: tcp, from_port: 80, to_port: 80, cidr_ip: 0.0.0.0/0 }`;

const balanced = `      instance_type: t2.micro
      subnet: { cidr: 10.0.0.0/24 }
      security_group:
        ingress:
          - { ip_protocol: tcp, from_port: 80, to_port: 80, cidr_ip: 0.0.0.0/0 }
      auto_scaling:
        min: 2
        max: 4
        spot_range: 0   # percentage of spot servers
      load_balancer:
        listeners:
          - { load_balancer_port: 80, protocol: HTTP, instance_port: 80 }
        health_check: { target: "TCP:80", interval: 10, timeout: 5, healthy_threshold: 2, unhealthy_threshold: 3 }`;

const database = `      rds:   # its data is kept when the stack is deleted, unless --delete-data says otherwise
        engine: mysql
        version: "8.0"
        db_instance_type: db.t3.small
        storage: 10   # GB`;

const container = (image: string): string => `    container:
      container_image: ${quoted(image)}   # alm deploy changes it later
      container_ports: [80]`;

/** A commented template, as a text that people edit further. */
export function templateText(answers: Answers): string {
  const { kind, image } = answers;
  const parts = [
    head(answers),
    kind === 'server' ? oneServer : balanced,
    ...(kind === 'database' ? [database] : []),
    ...(image === '' ? [] : [container(image)]),
  ];
  return `${parts.join('\n')}\n`;
}
