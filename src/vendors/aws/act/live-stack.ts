import { holdsData } from '../data-stores.ts';
import type { Template } from '../document.ts';
import { callAws } from '../errors.ts';
import { readResources } from '../observe/list-resources.ts';
import type { CloudStack } from '../observe/list-stacks.ts';
import type { Region } from '../region.ts';
import { parseTemplate } from './parse-template.ts';

type Live = Pick<CloudStack, 'arn'>;

/** The template by which CloudFormation decides at present. It may differ from every stored document. */
export async function readTemplate({ clients }: Region, { arn }: Live): Promise<Template> {
  const cloudFormation = await clients.cloudFormation();
  const { TemplateBody = '' } = await callAws(() => cloudFormation.getTemplate({ StackName: arn }));
  return parseTemplate(TemplateBody);
}

/** Logical ids of the resources of a template that hold data and that are not deleted yet. */
export async function findSurvivingData(region: Region, stack: Live, template: Template): Promise<string[]> {
  const stores = Object.entries(template.Resources).filter(([, resource]) => holdsData(resource));
  if (stores.length === 0) return [];
  const resources = await readResources(region, stack);
  const surviving = new Set(
    resources
      .filter(({ ResourceStatus }) => ResourceStatus !== 'DELETE_COMPLETE')
      .map(({ LogicalResourceId }) => LogicalResourceId),
  );
  return stores.map(([id]) => id).filter((id) => surviving.has(id));
}
