import type { AlicloudDocument } from '../../../src/vendors/alicloud/document.ts';
import { databasePasswordSecret } from '../../../src/vendors/alicloud/names.ts';
import type { Double } from './double.ts';

/** Stacks of the double, made from documents as a driver makes them. */

const ros = '2019-09-10';

export const putSecret = (double: Double, region: string, [name, value]: readonly [string, string]) =>
  double.call({
    version: '2019-06-01',
    action: 'CreateSecretParameter',
    query: { RegionId: region, Name: name },
    body: { Value: value },
  });

const parametersOf = ({ secrets, stackId }: AlicloudDocument, version: string): Record<string, string> => ({
  'Parameters.1.ParameterKey': 'AlmanacVersion',
  'Parameters.1.ParameterValue': version,
  ...(secrets.databasePassword
    ? {
        'Parameters.2.ParameterKey': 'DbPassword',
        'Parameters.2.ParameterValue': databasePasswordSecret(stackId),
      }
    : {}),
});

export async function createStack(double: Double, name: string, document: AlicloudDocument): Promise<string> {
  const { StackId } = await double.call({
    version: ros,
    action: 'CreateStack',
    query: { RegionId: document.region, StackName: name, ...parametersOf(document, 'v1') },
    body: { TemplateBody: JSON.stringify(document.template) },
  });
  await double.control('advance', { stack: StackId, settle: true });
  return String(StackId);
}

export async function updateStack(
  double: Double,
  stack: { id: string; mayReplace: boolean },
  document: AlicloudDocument,
): Promise<void> {
  await double.call({
    version: ros,
    action: 'UpdateStack',
    query: {
      RegionId: document.region,
      StackId: stack.id,
      ...(stack.mayReplace ? { ReplacementOption: 'Enabled' } : {}),
      ...parametersOf(document, 'v2'),
    },
    body: { TemplateBody: JSON.stringify(document.template) },
  });
  await double.control('advance', { stack: stack.id, settle: true });
}

export const readStack = async (double: Double, region: string, id: string) => {
  const answer = await double.call({
    version: ros,
    action: 'GetStack',
    query: { RegionId: region, StackId: id },
  });
  const outputs = (answer['Outputs'] ?? []) as { OutputKey: string; OutputValue: unknown }[];
  return {
    status: String(answer['Status']),
    reason: JSON.stringify(answer['OperationInfo'] ?? answer['StatusReason'] ?? ''),
    outputs: new Map(outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue])),
  };
};

export async function deleteStack(double: Double, region: string, id: string): Promise<void> {
  await double.call({ version: ros, action: 'DeleteStack', query: { RegionId: region, StackId: id } });
  await double.control('advance', { stack: id, settle: true });
}
