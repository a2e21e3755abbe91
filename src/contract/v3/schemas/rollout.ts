import { Type } from 'typebox';
import {
  type Doing,
  doings,
  type Health,
  healths,
  type InstanceState,
  instanceStates,
  type RolloutState,
  rolloutStates,
} from '../../../model/rollout.ts';

const time = (description: string) => Type.String({ description: `${description} ISO 8601.` });
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

/** What a stack says about its application and about the work in progress. */
export const applicationMembers = {
  health: Type.Unsafe<Health>(
    Type.String({
      enum: [...healths],
      description:
        'Whether the application serves. `none`: the stack has no container. `unknown`: its agents are silent, or do not say what ' +
        'they run. `degraded`: not on all instances. `down`: on none. It never changes `stack_status`.',
    }),
  ),
  health_reason: Type.String({ description: 'Why it is not `serving`. May be empty.' }),
  doing: Type.Unsafe<Doing>(
    Type.String({
      enum: [...doings],
      description:
        'What is being done now. Empty: nothing. `undoing`: the vendor undoes a creation or update that failed. `returning`: the ' +
        'stack goes back to the version before.',
    }),
  ),
  doing_reason: Type.String({
    description: 'Why it is undone, and how far that is, such as "11 of 15 removed". May be empty.',
  }),
};

const instance = Type.Object({
  instance_id: Type.String(),
  address: Type.String({ description: 'Its address. Empty if it has none.' }),
  revision: Type.Integer({ description: 'The revision that its last report is about. 0: it named none.' }),
  serving_revision: Type.Integer({ description: 'The revision that it serves. 0: none.' }),
  state: Type.Unsafe<InstanceState>(Type.String({ enum: [...instanceStates] })),
  since: orNull(time(''), 'Since when. Null: it has not reported.'),
  reason: Type.String({ description: 'Why it does not serve. May be empty.' }),
  last_lines: Type.String({ description: 'The last lines of a container that failed. May be empty.' }),
  image: Type.String({ description: 'The image that serves. May be empty.' }),
  digest: Type.String({ description: 'Its digest. May be empty.' }),
  reported_at: orNull(time(''), 'Time of the last report. Null: it has not reported.'),
});

export const rollout = Type.Object(
  {
    stack_id: Type.String(),
    flag: Type.String({ description: 'Flag of the layer.' }),
    revision: Type.Integer({ description: 'Increases with every change of the container or code.' }),
    version_id: Type.String({ description: 'Version that brought it.' }),
    image: Type.String({ description: 'The image that it should run.' }),
    cause: Type.String({
      description: 'Why it began, if not for its version, such as a new value of a secret. May be empty.',
    }),
    state: Type.Unsafe<RolloutState>(
      Type.String({
        enum: [...rolloutStates],
        description:
          '`rolling`: not everywhere yet. `serving`: every instance serves it. `failing`: at least one instance cannot, or it took ' +
          'too long. `returned`: it failed, and the version before is in place again. `superseded`: a newer revision took over. ' +
          '`unknown`: the instances do not say what they run.',
      }),
    ),
    began_at: time('When it began.'),
    deadline_at: orNull(
      time(''),
      'When it fails if it is not over by then. Null: the vendor is still at work.',
    ),
    ended_at: orNull(time(''), 'When it ended. Null: it has not.'),
    wanted: Type.Integer({ description: 'Instances that should serve it.' }),
    serving: Type.Integer({ description: 'Instances that serve it.' }),
    failing: Type.Integer({ description: 'Instances that cannot serve it.' }),
    reason: Type.String({ description: 'Why it fails. May be empty.' }),
    last_lines: Type.String({
      description: 'The last lines of the first container that failed. May be empty.',
    }),
    instances: Type.Array(instance, { description: 'Of the current revision. Empty for earlier ones.' }),
  },
  { $id: 'Rollout' },
);
