import { resourceSuffix } from '../../../model/names.ts';
import type { Database, StackModel } from '../../../model/stack-model.ts';
import { databaseEngines } from '../catalog.ts';
import type { ChosenDatabase } from '../choices.ts';
import { type Properties, ref, substitute } from '../document.ts';
import { decideDatabase } from '../layout/versions.ts';
import * as names from '../names.ts';
import { groupId, innerSecurityGroup } from './borders.ts';
import { type Context, type Entry, goneWithStack, savedWhenReplaced } from './context.ts';

/** The database of a stack and its user have the same name in every stack; containers are told so. */
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

/** A primary with the secret it is opened with, and its read replicas. */
export function database(context: Context, asked: Database): Entry[] {
  const { name, engine, replicas } = asked;
  const guard = names.databaseSecurityGroup(name);
  const decided = decideDatabase(asked, context.choices.databases[name]);
  const description = `Database ${resourceSuffix(name)}`;
  return [
    [guard, innerSecurityGroup(context, description, databaseEngines[engine].port)],
    secret(asked),
    primary(asked, decided),
    attachment(asked),
    ...Array.from({ length: replicas }, (_, index) => replica(asked, decided, index + 1)),
  ];
}

/**
 * AWS makes the password up. RDS's own way of keeping it is not used: a database that has it can have no read replicas,
 * and those may be added later.
 */
const secret = ({ name }: Database): Entry => [
  names.databaseSecret(name),
  {
    Type: 'AWS::SecretsManager::Secret',
    ...goneWithStack,
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

/** What a primary and its replicas have in common. */
const commonProperties = ({ name }: Database, { type }: ChosenDatabase): Properties => ({
  DBInstanceClass: type,
  StorageType: 'gp3',
  PubliclyAccessible: false,
  AutoMinorVersionUpgrade: true,
  CopyTagsToSnapshot: true,
  VPCSecurityGroups: [groupId(names.databaseSecurityGroup(name))],
});

/** No name of its own: AWS could not replace a database whose name is taken. */
function primary(asked: Database, decided: ChosenDatabase): Entry {
  const { name, engine } = asked;
  const { name: Engine, port } = databaseEngines[engine];
  return [
    names.database(name),
    {
      Type: 'AWS::RDS::DBInstance',
      ...savedWhenReplaced,
      Properties: {
        ...commonProperties(asked, decided),
        Engine,
        EngineVersion: decided.version,
        ...(decided.upgraded ? { AllowMajorVersionUpgrade: true } : {}),
        Port: String(port),
        AllocatedStorage: String(decided.storageGib),
        StorageEncrypted: true,
        MultiAZ: asked.multiZone,
        DBSubnetGroupName: ref(names.databaseSubnets),
        DBName: applicationName,
        MasterUsername: applicationName,
        MasterUserPassword: substitute(
          `{{resolve:secretsmanager:\${${names.databaseSecret(name)}}:SecretString:password}}`,
        ),
        // Replicas are made from backups, so there must be some. They go with the database.
        BackupRetentionPeriod: 7,
        DeleteAutomatedBackups: true,
      },
    },
  ];
}

/** Engine, user, storage and subnets are its source's. */
const replica = (asked: Database, decided: ChosenDatabase, index: number): Entry => [
  names.databaseReplica(asked.name, index),
  {
    Type: 'AWS::RDS::DBInstance',
    ...goneWithStack,
    Properties: {
      ...commonProperties(asked, decided),
      SourceDBInstanceIdentifier: ref(names.database(asked.name)),
    },
  },
];
