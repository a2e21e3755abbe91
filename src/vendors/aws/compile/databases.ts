import { resourceSuffix } from '../../../model/names.ts';
import type { Database, StackModel } from '../../../model/stack-model.ts';
import { databaseEngines } from '../catalog.ts';
import type { ChosenDatabase } from '../choices.ts';
import { type Properties, ref, substitute } from '../document.ts';
import { decideDatabase } from '../layout/versions.ts';
import * as names from '../names.ts';
import { type Context, deletedWithStack, type Entry, keptAsSnapshot } from './context.ts';
import { groupId, innerSecurityGroup } from './traffic-rules.ts';

/** The name of the database and of its user in every stack; containers rely on it. */
const applicationName = 'app';

export const databaseSubnetGroup = ({ databases }: StackModel): Entry[] =>
  databases.length === 0
    ? []
    : [
        [
          names.databaseSubnets,
          {
            Type: 'AWS::RDS::DBSubnetGroup',
            Properties: {
              DBSubnetGroupDescription: 'Where the databases of the stack are',
              SubnetIds: [1, 2].map((index) => ref(names.dataSubnet(index))),
            },
          },
        ],
      ];

/** A primary with its secret, and its read replicas. */
export function database(context: Context, model: Database): Entry[] {
  const { name, engine, replicas } = model;
  const decided = decideDatabase(model, context.choices.databases[name]);
  const description = `Database ${resourceSuffix(name)}`;
  return [
    [
      names.databaseSecurityGroup(name),
      innerSecurityGroup(context, description, databaseEngines[engine].port),
    ],
    secret(model),
    primary(model, decided),
    attachment(model),
    ...Array.from({ length: replicas }, (_, index) => replica(model, decided, index + 1)),
  ];
}

/**
 * AWS generates the password. Passwords managed by RDS are not used: such a database cannot have read replicas, which may
 * be added later.
 */
const secret = ({ name }: Database): Entry => [
  names.databaseSecret(name),
  {
    Type: 'AWS::SecretsManager::Secret',
    ...deletedWithStack,
    Properties: {
      Description: `How to sign in to database ${resourceSuffix(name)}`,
      GenerateSecretString: {
        SecretStringTemplate: JSON.stringify({ username: applicationName }),
        GenerateStringKey: 'password',
        PasswordLength: 30,
        ExcludePunctuation: true,
      },
    },
  },
];

const attachment = ({ name }: Database): Entry => [
  names.databaseSecretAttachment(name),
  {
    Type: 'AWS::SecretsManager::SecretTargetAttachment',
    Properties: {
      SecretId: ref(names.databaseSecret(name)),
      TargetId: ref(names.database(name)),
      TargetType: 'AWS::RDS::DBInstance',
    },
  },
];

/** Common properties of a primary and its replicas. */
const commonProperties = ({ name }: Database, { type }: ChosenDatabase): Properties => ({
  DBInstanceClass: type,
  StorageType: 'gp3',
  PubliclyAccessible: false,
  AutoMinorVersionUpgrade: true,
  CopyTagsToSnapshot: true,
  VPCSecurityGroups: [groupId(names.databaseSecurityGroup(name))],
});

/** No explicit name: CloudFormation cannot replace a named database, because the name is taken. */
function primary(model: Database, decided: ChosenDatabase): Entry {
  const { name, engine } = model;
  const { name: Engine, port } = databaseEngines[engine];
  return [
    names.database(name),
    {
      Type: 'AWS::RDS::DBInstance',
      ...keptAsSnapshot,
      Properties: {
        ...commonProperties(model, decided),
        Engine,
        EngineVersion: decided.version,
        ...(decided.upgraded ? { AllowMajorVersionUpgrade: true } : {}),
        Port: String(port),
        AllocatedStorage: String(decided.storageGib),
        StorageEncrypted: true,
        MultiAZ: model.multiZone,
        // Always present: without the property, AWS keeps the protection that a database has.
        DeletionProtection: model.deletionProtection ?? false,
        DBSubnetGroupName: ref(names.databaseSubnets),
        DBName: applicationName,
        MasterUsername: applicationName,
        MasterUserPassword: substitute(
          `{{resolve:secretsmanager:\${${names.databaseSecret(name)}}:SecretString:password}}`,
        ),
        // Replicas require automated backups. A deleted database can be restored from them until they expire.
        BackupRetentionPeriod: 7,
        DeleteAutomatedBackups: false,
      },
    },
  ];
}

/** Engine, user, storage and subnets come from the source. */
const replica = (model: Database, decided: ChosenDatabase, index: number): Entry => [
  names.databaseReplica(model.name, index),
  {
    Type: 'AWS::RDS::DBInstance',
    ...deletedWithStack,
    Properties: {
      ...commonProperties(model, decided),
      SourceDBInstanceIdentifier: ref(names.database(model.name)),
    },
  },
];
