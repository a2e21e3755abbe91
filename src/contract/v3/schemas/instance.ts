import { Type } from 'typebox';

const text = () => Type.Optional(Type.String());
const anything = () => Type.Optional(Type.Unknown());

/**
 * A server of a stack. Types match those existing clients decode: values that look like numbers
 * (`State.Code`, `AmiLaunchIndex`) are strings, and numbers would break these clients.
 */
export const instance = Type.Object(
  {
    InstanceId: Type.String(),
    ImageId: Type.String(),
    InstanceType: Type.String(),
    State: Type.Object({ Code: Type.String(), Name: Type.String() }),
    PublicIpAddress: Type.String({ description: 'Empty if there is none.' }),
    PrivateIpAddress: Type.String({ description: 'Empty if there is none.' }),
    PublicDnsName: Type.String({ description: 'Empty if there is none.' }),
    LaunchTime: Type.String(),
    InstanceLifecycle: Type.Optional(
      Type.Literal('spot', { description: 'Present on spot instances only.' }),
    ),
    flag: Type.Optional(Type.String({ description: 'Flag of the layer the instance belongs to.' })),
    AmiLaunchIndex: text(),
    Architecture: text(),
    ClientToken: text(),
    Hypervisor: text(),
    KeyName: text(),
    KeyPairName: text(),
    PrivateDnsName: text(),
    RootDeviceName: text(),
    RootDeviceType: text(),
    SpotInstanceRequestId: text(),
    StateTransitionReason: text(),
    SubnetId: text(),
    VirtualizationType: text(),
    VpcId: text(),
    enaSupport: text(),
    EbsOptimized: Type.Optional(Type.Boolean()),
    SourceDestCheck: Type.Optional(Type.Boolean()),
    ProductCodes: Type.Optional(Type.Array(Type.String())),
    Status: anything(),
    BlockDeviceMappings: anything(),
    Monitoring: anything(),
    NetworkInterfaces: anything(),
    Placement: anything(),
    Reservation: anything(),
    SecurityGroups: anything(),
    Tags: anything(),
  },
  { $id: 'Instance' },
);

export const databaseInstance = Type.Object(
  {
    DBInstanceIdentifier: Type.String(),
    DBInstanceClass: Type.String(),
    DBInstanceStatus: Type.String(),
    AllocatedStorage: Type.String({ description: 'Size in GB.' }),
    AvailabilityZone: Type.String(),
    Engine: Type.String(),
    EngineVersion: Type.String(),
    Endpoint: Type.Object({ Address: Type.String(), Port: Type.String() }),
  },
  { $id: 'DatabaseInstance' },
);

export const cache = Type.Object(
  {
    CacheClusterId: Type.String(),
    CacheClusterStatus: Type.String(),
    CacheNodeType: Type.String(),
    Engine: Type.String(),
    NumCacheNodes: Type.String(),
    Endpoint: Type.Object({ Address: Type.String(), Port: Type.String() }),
  },
  { $id: 'Cache' },
);
