import { Type } from 'typebox';
import { computed } from '../placeholders.ts';
import { closed, network, oneOf, orComputed, text, whole, yesOrNo } from '../schema-words.ts';

const optional = Type.Optional;

export const subnet = Type.Object(
  {
    cidr: optional(
      network('Addresses of the subnet, inside 10.0.0.0/16. Default: the next free 10.0.n.0/24.'),
    ),
    public: optional(yesOrNo('Whether the internet reaches the subnet. Default true.')),
    auto_assign_public_ip: optional(
      yesOrNo('Whether instances get a public address. Default true; ignored when the subnet is not public.'),
    ),
  },
  closed("The layer's part of the network."),
);

export const aclRule = Type.Object(
  {
    rule_number: whole('Rules are tried in this order; unique per direction.', 1, 32766),
    protocol: text('"-1" for all, "tcp", "udp", "icmp", or a protocol number from 0 to 255.'),
    rule_action: oneOf('What happens to traffic that matches.', ['allow', 'deny']),
    acl_egress: optional(yesOrNo('Whether the rule is about outgoing traffic. Default false.')),
    cidr_block: network('Where the traffic comes from or goes to.'),
  },
  closed("One rule of the subnet's border."),
);

export const trafficRule = Type.Object(
  {
    ip_protocol: oneOf('The protocol; "-1" and "all" mean every one.', ['tcp', 'udp', 'icmp', 'all', '-1']),
    from_port: optional(whole('First port. Needed for tcp and udp.', -1, 65535)),
    to_port: optional(whole('Last port. Default: the first port.', -1, 65535)),
    cidr_ip: network('Where the traffic comes from or goes to.'),
  },
  closed('One kind of traffic that is let through.'),
);

export const securityGroup = Type.Object(
  {
    ingress: optional(Type.Array(trafficRule, { description: 'What may come in. Default: nothing.' })),
    egress: optional(Type.Array(trafficRule, { description: 'What may go out. Default: everything.' })),
  },
  closed('What may reach the servers. Default: tcp 80, 443 and 22 in (a bastion: 22), everything out.'),
);

export const autoScaling = Type.Object(
  {
    min: optional(whole('Fewest instances. Default 1.', 0, 1000)),
    max: optional(whole('Most instances. Default 1, or min when that is more.', 0, 1000)),
    availability_zones: optional(
      Type.Union([text('Zones, separated by commas.'), Type.Array(text('A zone.')), Type.Literal(computed)], {
        description:
          "Zones of the group. Default: the layer's availability_zone; one of the two is needed. ${computed}: the vendor decides.",
      }),
    ),
    subnets: optional(
      text('Layers whose subnets the group spans too: #share(A.provision.subnet,B.provision.subnet).'),
    ),
    security_groups: optional(
      text('Layers whose security groups its instances carry too: #ref(A.provision.security_group).'),
    ),
    cooldown: optional(whole('Seconds between two scaling steps. Default 360.', 0, 86400)),
    healthcheck_grace_period: optional(
      whole('Seconds a new instance has before its health counts. Default 360.', 0, 86400),
    ),
    spot_range: optional(whole('How many of a hundred instances are spot instances. Default 0.', 0, 100)),
    spot_min: optional(whole('Deprecated, use spot_range: fewest spot instances.', 0, 1000)),
    spot_max: optional(whole('Deprecated, use spot_range: most spot instances.', 0, 1000)),
  },
  closed('A group of servers that grows and shrinks.'),
);

const listenerProtocols = ['http', 'https', 'tcp', 'ssl'] as const;

export const listener = Type.Object(
  {
    load_balancer_port: whole('Port the balancer listens on.', 0, 65535),
    protocol: oneOf('Protocol the balancer listens for.', listenerProtocols),
    instance_port: whole('Port on the instances.', 0, 65535),
    instance_protocol: optional(
      oneOf(
        'Protocol towards the instances. Default http for http and https, tcp for tcp and ssl.',
        listenerProtocols,
      ),
    ),
    cert_domain: optional(text('Domain of the certificate. Needed for https and ssl.')),
  },
  closed('One port the balancer listens on.'),
);

export const healthCheck = Type.Object(
  {
    target: optional(
      text(
        'What is asked: TCP:80, SSL:443, HTTP:80/path or HTTPS:443/path. Default: TCP and the first instance_port.',
        {
          format: 'health-target',
        },
      ),
    ),
    interval: optional(whole('Seconds between two checks. Default 10.', 1, 300)),
    timeout: optional(whole('Seconds an answer may take; less than interval. Default 5.', 1, 120)),
    healthy_threshold: optional(
      whole('Good answers in a row that make an instance healthy. Default 2.', 1, 20),
    ),
    unhealthy_threshold: optional(
      whole('Missing answers in a row that make it unhealthy. Default 10.', 1, 20),
    ),
  },
  closed('How the balancer knows that a server is well.'),
);

export const loadBalancer = Type.Object(
  {
    lb_type: optional(
      oneOf('Kind of balancer. Default classic.', ['classic', 'application', 'networking', 'network']),
    ),
    scheme: optional(oneOf('Who can reach it. Default internet-facing.', ['internet-facing', 'internal'])),
    subnets: optional(
      text(
        "Layers whose subnets it stands in: #share(A.provision.subnet,B.provision.subnet). Default: its layer's.",
      ),
    ),
    security_groups: optional(
      text(
        "Layers whose security groups it carries: #ref(A.provision.security_group). Default: its layer's.",
      ),
    ),
    listeners: optional(
      Type.Array(listener, { minItems: 1, description: 'What it listens for. Default: http on 80 to 80.' }),
    ),
    health_check: optional(healthCheck),
  },
  closed(
    'A balancer before the servers. Default: one with all defaults for a web layer with auto_scaling, else none.',
  ),
);

export const rds = Type.Object(
  {
    engine: oneOf('The database.', ['mysql', 'postgres', 'postgresql']),
    storage: whole('GiB.', 5, 3072),
    db_instance_type: optional(text('Database class. Default: the vendor decides.')),
    version: optional(text('Engine version. Default: the vendor decides.')),
    multi_az: optional(yesOrNo('Whether a standby waits in another zone. Default false.')),
    replica: optional(whole('Read replicas. Default 0.', 0, 5)),
  },
  closed("A relational database, named after the layer's flag."),
);

export const elasticache = Type.Object(
  {
    engine: oneOf('The cache.', ['redis', 'memcached']),
    node_type: text('Node size.'),
    nodes: optional(
      whole('Nodes: redis 1 to 6 (one primary, the rest replicas), memcached 1 to 20. Default 1.', 1, 20),
    ),
  },
  closed("A cache, named after the layer's flag."),
);

export const provision = Type.Object(
  {
    availability_zone: optional(text('Zone of the subnet and the instances. Default: the vendor decides.')),
    image: optional(orComputed(text('Machine image. Default ${computed}: the one for the region.'))),
    instance_type: optional(orComputed(text('Server size. Default ${computed}.'))),
    instance_count: optional(whole('How many servers, without auto_scaling. Default 1.', 0, 1000)),
    volume_type: optional(orComputed(text('Kind of disk. Default ${computed}.'))),
    volume_size: optional(orComputed(whole('GiB of disk. Default ${computed}.', 1, 16384))),
    vpc_id: optional(
      Type.Literal(computed, {
        description: 'Reserved: every stack gets a network of its own, 10.0.0.0/16.',
      }),
    ),
    keypair: optional(yesOrNo('Whether the layer gets a key pair for ssh. Default true.')),
    subnet: optional(subnet),
    network_acl: optional(
      Type.Array(aclRule, {
        description: "Rules of the subnet's border. Default: the vendor's, which let all pass.",
      }),
    ),
    security_group: optional(securityGroup),
    auto_scaling: optional(
      Type.Union([autoScaling, text("#share(Flag.provision.auto_scaling): use another layer's group.")]),
    ),
    load_balancer: optional(loadBalancer),
    rds: optional(rds),
    elasticache: optional(elasticache),
  },
  closed('The servers and what surrounds them.'),
);
