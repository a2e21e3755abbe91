import type { Template } from '../document.ts';
import { Refusal } from '../errors.ts';
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
    const { Outputs = {}, ...template } = JSON.parse(TemplateBody) as Partial<Template>;
    if (typeof template.Resources === 'object') return { ...template, Outputs } as Template;
  } catch {
    // It is YAML, which Almanac does not write.
  }
  throw unreadable();
}
