import type { Database } from '../../../model/stack-model.ts';
import { databaseEngines, databaseGib } from '../catalog.ts';
import { databasePasswordParameter, joined, type Properties, ref } from '../document.ts';
import { replicaType } from '../layout/service-classes.ts';
import * as names from '../names.ts';
import { type Context, dependsOn, type Entry } from './context.ts';

/** The name of the database and of its user in every stack; containers rely on it. */
const applicationName = 'app';

/** The smallest database has more than the smallest of a template. */
export const storageGib = ({ storageGib: asked }: Database): number => Math.max(databaseGib.min, asked);

/** A primary and its read replicas, which RDS makes one after the other. */
export const database = (context: Context, model: Database): Entry[] => [
  primary(context, model),
  ...Array.from({ length: model.replicas }, (_, index) => replica(context, model, index + 1)),
];

const placeOf = ({ choices }: Context, { multiZone }: Database): Properties => {
  const [main, standby] = [names.dataSubnet(1), names.dataSubnet(2)];
  const ZoneId = choices.places[main] ?? '';
  return multiZone
    ? { ZoneId, SlaveZoneIds: [choices.places[standby] ?? ''], VSwitchId: joined([ref(main), ref(standby)]) }
    : { ZoneId, VSwitchId: ref(main) };
};

/** Without the protection of RDS, which ROS cannot change later: Almanac itself refuses to delete a protected database. */
function primary(context: Context, model: Database): Entry {
  const { name, engine } = model;
  const chosen = context.choices.databases[name];
  const { name: Engine, characterSet } = databaseEngines[engine];
  return [
    names.database(name),
    {
      Type: 'ALIYUN::RDS::DBInstance',
      Properties: {
        Engine,
        EngineVersion: chosen?.version ?? '',
        DBInstanceClass: chosen?.type ?? '',
        Category: chosen?.category ?? 'Basic',
        DBInstanceStorageType: 'cloud_essd',
        DBInstanceStorage: storageGib(model),
        VpcId: ref(names.network),
        ...placeOf(context, model),
        SecurityIPList: context.model.networkCidr,
        MasterUsername: applicationName,
        MasterUserPassword: ref(databasePasswordParameter),
        MasterUserType: 'Super',
        DBMappings: [{ DBName: applicationName, CharacterSetName: characterSet }],
        PayType: 'Postpaid',
      },
    },
  ];
}

function replica({ choices }: Context, model: Database, index: number): Entry {
  const { name } = model;
  const { type = '', version = '' } = choices.databases[name] ?? {};
  return [
    names.databaseReplica(name, index),
    {
      Type: 'ALIYUN::RDS::ReadOnlyDBInstance',
      ...dependsOn(index > 1 ? [names.databaseReplica(name, index - 1)] : []),
      Properties: {
        DBInstanceId: ref(names.database(name)),
        EngineVersion: version,
        DBInstanceClass: replicaType(type),
        DBInstanceStorageType: 'cloud_essd',
        DBInstanceStorage: storageGib(model),
        VPCId: ref(names.network),
        VSwitchId: ref(names.dataSubnet(1)),
        ZoneId: choices.places[names.dataSubnet(1)] ?? '',
        PayType: 'Postpaid',
      },
    },
  ];
}
