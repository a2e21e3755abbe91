import type { Template } from '../document.ts';
import { Refusal } from '../errors.ts';
import { dataTypes } from '../layout/impact.ts';
import type { CloudStack } from '../observe/list-stacks.ts';
import type { Region } from '../region.ts';

const unreadable = (): Refusal =>
  new Refusal(
    'The template of the ROS stack was changed outside Almanac and cannot be read, so it is not known what the update would replace. ' +
      'Update the stack in the ROS console with the template of its last version, or delete it and create it again.',
  );

/** The template by which ROS decides at present. It may differ from every stored document. */
export async function readTemplate({ clients }: Region, { rosId }: CloudStack): Promise<Template> {
  const { TemplateBody = '' } = await clients.call<{ TemplateBody?: string }>({
    service: 'ros',
    action: 'GetTemplate',
    query: { StackId: rosId },
  });
  try {
    const template = JSON.parse(TemplateBody) as Template;
    if (typeof template.Resources === 'object') return template;
  } catch {
    // It is YAML, which Almanac does not write.
  }
  throw unreadable();
}

interface ResourceRow {
  LogicalResourceId?: string;
  ResourceType?: string;
  PhysicalResourceId?: string;
  Status?: string;
}

/** Logical ids of the resources that hold data and that are not deleted yet. */
export async function findSurvivingData({ clients }: Region, { rosId }: CloudStack): Promise<string[]> {
  const { Resources = [] } = await clients.call<{ Resources?: readonly ResourceRow[] }>({
    service: 'ros',
    action: 'ListStackResources',
    query: { StackId: rosId },
  });
  return Resources.filter(
    ({ ResourceType = '', PhysicalResourceId, Status }) =>
      dataTypes.has(ResourceType) && PhysicalResourceId && Status !== 'DELETE_COMPLETE',
  ).map(({ LogicalResourceId = '' }) => LogicalResourceId);
}
