import { Type } from 'typebox';
import { computed } from '../placeholders.ts';
import { boolean, closed, integer, network, oneOf, orComputed, text } from '../schema-parts.ts';

const optional = Type.Optional;

const subnet = Type.Object(
  {
    cidr: optional(network('Network of the subnet, inside 10.0.0.0/16. Default: the next free 10.0.n.0/24.')),
    public: optional(boolean('Whether the subnet is reachable from the internet. Default true.')),
    auto_assign_public_ip: optional(
      boolean(
        'Whether instances get a public IP address. Default true; ignored if the subnet is not public.',
      ),
    ),
  },
  closed("The layer's subnet."),
);

export const aclRule = Type.Object(
  {
    rule_number: integer('Rules are evaluated in this order. Unique per direction.', 1, 32766),
    protocol: text('"-1" for all, "tcp", "udp", "icmp", or a protocol number from 0 to 255.'),
    rule_action: oneOf('Action for matching traffic.', ['allow', 'deny']),
    acl_egress: optional(boolean('Whether the rule applies to outgoing traffic. Default false.')),
    cidr_block: network('Source of incoming or destination of outgoing traffic.'),
  },
  closed("One rule of the subnet's network ACL."),
);

export const trafficRule = Type.Object(
  {
    ip_protocol: oneOf('Protocol; "-1" and "all" mean all protocols.', ['tcp', 'udp', 'icmp', 'all', '-1']),
    from_port: optional(integer('First port. Required for tcp and udp.', -1, 65535)),
    to_port: optional(integer('Last port. Default: from_port.', -1, 65535)),
    cidr_ip: network('Source of incoming or destination of outgoing traffic.'),
  },
  closed('One rule that allows traffic.'),
);

const securityGroup = Type.Object(
  {
    ingress: optional(Type.Array(trafficRule, { description: 'Allowed incoming traffic. Default: none.' })),
    egress: optional(Type.Array(trafficRule, { description: 'Allowed outgoing traffic. Default: all.' })),
  },
  closed(
    'Security group of the servers. Default: incoming tcp 80, 443 and, with a key pair, 22 (bastion: only 22), all outgoing.',
  ),
);

export const autoScaling = Type.Object(
  {
    min: optional(integer('Minimum number of instances. Default 1.', 0, 1000)),
    max: optional(integer('Maximum number of instances. Default 1, or min if that is greater.', 0, 1000)),
    availability_zones: optional(
      Type.Union([text('Zones, separated by commas.'), Type.Array(text('A zone.')), Type.Literal(computed)], {
        description:
          "Zones of the group. Default: the layer's availability_zone, or else ${computed}: the vendor chooses, at least two where it can.",
      }),
    ),
    subnets: optional(
      text('Layers whose subnets the group also uses: #share(A.provision.subnet,B.provision.subnet).'),
    ),
    security_groups: optional(
      text('Layers whose security groups the instances also have: #ref(A.provision.security_group).'),
    ),
    scaling: optional(
      boolean(
        'Whether the group changes its size between min and max with the load. Default true. A group starts at min.',
      ),
    ),
    target_cpu: optional(
      integer('Average CPU use in percent that the group holds by changing its size. Default 60.', 1, 100),
    ),
    target_requests: optional(
      integer(
        'Requests per instance and minute to hold instead of target_cpu. Requires a load balancer for http.',
        1,
        1_000_000,
      ),
    ),
    cooldown: optional(
      integer('Seconds before new instances count in the measured load. Default 360.', 0, 86400),
    ),
    healthcheck_grace_period: optional(
      integer('Seconds before the health of a new instance is checked. Default 360.', 0, 86400),
    ),
    spot_range: optional(integer('Percentage of instances that are spot instances. Default 0.', 0, 100)),
    spot_min: optional(integer('Deprecated, use spot_range. Minimum number of spot instances.', 0, 1000)),
    spot_max: optional(integer('Deprecated, use spot_range. Maximum number of spot instances.', 0, 1000)),
  },
  closed('Auto scaling group of the servers.'),
);

const listenerProtocols = ['http', 'https', 'tcp', 'ssl'] as const;

export const listener = Type.Object(
  {
    load_balancer_port: integer('Port of the load balancer.', 0, 65535),
    protocol: oneOf('Protocol of the load balancer.', listenerProtocols),
    instance_port: integer('Port on the instances.', 0, 65535),
    instance_protocol: optional(
      oneOf(
        'Protocol to the instances. Default: http for http and https, tcp for tcp and ssl.',
        listenerProtocols,
      ),
    ),
    cert_domain: optional(text('Domain of the certificate. Required for https and ssl.')),
  },
  closed('One port that the load balancer listens on.'),
);

export const healthCheck = Type.Object(
  {
    target: optional(
      text(
        'Target of the check: TCP:80, SSL:443, HTTP:80/path or HTTPS:443/path. Default: TCP and the first instance_port.',
        {
          format: 'health-target',
        },
      ),
    ),
    interval: optional(integer('Seconds between checks. Default 10.', 1, 300)),
    timeout: optional(integer('Timeout of a check in seconds; less than interval. Default 5.', 1, 120)),
    healthy_threshold: optional(
      integer('Consecutive successful checks before an instance is healthy. Default 2.', 1, 20),
    ),
    unhealthy_threshold: optional(
      integer('Consecutive failed checks before an instance is unhealthy. Default 10.', 1, 20),
    ),
  },
  closed('Health check of the servers.'),
);

export const loadBalancer = Type.Object(
  {
    lb_type: optional(
      oneOf('Type of load balancer. Default classic.', ['classic', 'application', 'networking', 'network']),
    ),
    scheme: optional(
      oneOf('Whether the load balancer is public. Default internet-facing.', ['internet-facing', 'internal']),
    ),
    subnets: optional(
      text(
        'Layers whose subnets it uses: #share(A.provision.subnet,B.provision.subnet). Default: its own layer.',
      ),
    ),
    security_groups: optional(
      text('Layers whose security groups it has: #ref(A.provision.security_group). Default: its own layer.'),
    ),
    listeners: optional(
      Type.Array(listener, { minItems: 1, description: 'Listeners. Default: http from port 80 to port 80.' }),
    ),
    health_check: optional(healthCheck),
  },
  closed(
    'Load balancer of the servers. Default: one with all defaults for a web layer with auto_scaling, else none.',
  ),
);

export const rds = Type.Object(
  {
    engine: oneOf('Database engine.', ['mysql', 'postgres', 'postgresql']),
    storage: integer('Storage in GiB.', 5, 3072),
    db_instance_type: optional(text('Database class. Default: the vendor chooses.')),
    version: optional(text('Engine version. Default: the vendor chooses.')),
    multi_az: optional(boolean('Whether to run a standby in another zone. Default false.')),
    replica: optional(integer('Number of read replicas. Default 0.', 0, 5)),
    deletion_protection: optional(
      boolean('Whether to refuse to delete the database, with its stack or by an update. Default false.'),
    ),
    restore_from: optional(
      text(
        'Id of kept data (`alm data list`) to make it from. Ignored once it was restored. Default: it begins empty.',
      ),
    ),
  },
  closed("A relational database, named after the layer's flag."),
);

const elasticache = Type.Object(
  {
    engine: oneOf('Cache engine.', ['redis', 'memcached']),
    node_type: text('Node size.'),
    nodes: optional(
      integer('Nodes: redis 1 to 6 (one primary, the rest replicas), memcached 1 to 20. Default 1.', 1, 20),
    ),
    restore_from: optional(
      text(
        'Id of kept data (`alm data list`) to make it from. Ignored once it was restored. Default: it begins empty.',
      ),
    ),
  },
  closed("A cache, named after the layer's flag."),
);

export const provision = Type.Object(
  {
    availability_zone: optional(text('Zone of the subnet and the instances. Default: the vendor chooses.')),
    image: optional(orComputed(text('Machine image. Default ${computed}: the one for the region.'))),
    instance_type: optional(orComputed(text('Server size. Default ${computed}.'))),
    instance_count: optional(integer('Number of servers without auto_scaling. Default 1.', 0, 1000)),
    volume_type: optional(orComputed(text('Volume type. Default ${computed}.'))),
    volume_size: optional(orComputed(integer('Volume size in GiB. Default ${computed}.', 1, 16384))),
    vpc_id: optional(
      Type.Literal(computed, {
        description: 'Reserved: each stack gets its own network, 10.0.0.0/16.',
      }),
    ),
    keypair: optional(boolean('Whether to create a key pair for SSH. Default true.')),
    subnet: optional(subnet),
    network_acl: optional(
      Type.Array(aclRule, {
        description: "Network ACL of the subnet. Default: the vendor's, which allows all traffic.",
      }),
    ),
    security_group: optional(securityGroup),
    auto_scaling: optional(
      Type.Union([
        autoScaling,
        text('#share(Flag.provision.auto_scaling) to use the group of another layer.'),
      ]),
    ),
    load_balancer: optional(loadBalancer),
    rds: optional(rds),
    elasticache: optional(elasticache),
  },
  closed('Servers, network and data services of the layer.'),
);
