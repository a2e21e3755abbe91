import { usageError } from '../../cli-error.ts';
import type { Run } from '../../command.ts';
import { type Container, changeContainer } from './change-containers.ts';
import { deployV2, setVariableV2 } from './deploy-v2.ts';

/** Sets a member under the name that the template uses for it. */
const withMember = (
  container: Container,
  names: readonly [string, ...string[]],
  value: string,
): Container => ({
  ...container,
  [names.find((name) => name in container) ?? names[0]]: value,
});

/** Deploys a new image or git reference: the agents switch when the new containers are healthy. */
export const deploy: Run = async (context) => {
  const image = context.args.text('image');
  const ref = context.args.text('ref');
  if (!image && !ref) throw usageError('--image <image> or --ref <branch or tag> is required.');
  if (context.version === 'v2') return deployV2(context, { image, ref });
  const change = (container: Container): Container => {
    const withImage = image ? withMember(container, ['container_image', 'image'], image) : container;
    return ref ? withMember(withImage, ['container_git_reference', 'gitReference'], ref) : withImage;
  };
  return changeContainer(context, { change, repairs: true });
};

/** The variable whose change makes the agents replace a container that is otherwise the same. */
const restartVariable = 'ALM_RESTARTED_AT';

function withRestartTime(container: Container, time: string): Container {
  const name = 'environmentVariables' in container ? 'environmentVariables' : 'container_env_vars';
  const variables = container[name];
  if (Array.isArray(variables))
    return {
      ...container,
      [name]: [
        ...variables.filter((each: { name?: unknown }) => each.name !== restartVariable),
        { name: restartVariable, value: time },
      ],
    };
  if (variables !== undefined && (typeof variables !== 'object' || variables === null))
    throw usageError(
      `${name} of the container is not a list or an object, so ${restartVariable} cannot be added to it.`,
      'Restart the layer that it is copied from, or update the stack: alm stack update <stack> <file>',
    );
  return { ...container, [name]: { ...variables, [restartVariable]: time } };
}

/** Replaces the containers by new ones of the same configuration. */
export const restart: Run = async (context) => {
  const time = new Date(context.system.clock.now()).toISOString();
  if (context.version === 'v2') return setVariableV2(context, { name: restartVariable, value: time });
  return changeContainer(context, {
    change: (container) => withRestartTime(container, time),
    repairs: false,
  });
};
