import type { Call } from './read-call.ts';

/** Our fake of drift detection in CloudFormation, after its documentation. */

const response = (operation: string, result: string): string =>
  `<${operation}Response xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><${operation}Result>${result}</${operation}Result><ResponseMetadata><RequestId>0</RequestId></ResponseMetadata></${operation}Response>`;

const checkedAt = '2030-01-01T00:00:00.000Z';

const drifted = (arn: string): string => `<StackResourceDrifts><member>
  <StackId>${arn}</StackId><LogicalResourceId>SecurityGroupLone</LogicalResourceId>
  <ResourceType>AWS::EC2::SecurityGroup</ResourceType>
  <StackResourceDriftStatus>MODIFIED</StackResourceDriftStatus><Timestamp>${checkedAt}</Timestamp>
  <PropertyDifferences><member><PropertyPath>/SecurityGroupIngress/0/FromPort</PropertyPath>
    <ExpectedValue>80</ExpectedValue><ActualValue>8080</ActualValue><DifferenceType>NOT_EQUAL</DifferenceType>
  </member></PropertyDifferences>
</member></StackResourceDrifts>`;

const stackInDrift = (arn: string): string => `<Stacks><member>
  <StackId>${arn}</StackId><StackName>stack</StackName><StackStatus>CREATE_COMPLETE</StackStatus>
  <CreationTime>${checkedAt}</CreationTime>
  <DriftInformation><StackDriftStatus>DRIFTED</StackDriftStatus>
    <LastCheckTimestamp>${checkedAt}</LastCheckTimestamp></DriftInformation>
</member></Stacks>`;

/** A check that found one changed security group. The simulator responds to all other calls. */
export function driftResponse({ operation, input }: Call): string | undefined {
  const arn = input.StackName ?? '';
  if (operation === 'DetectStackDrift')
    return response(operation, '<StackDriftDetectionId>check-1</StackDriftDetectionId>');
  if (operation === 'DescribeStackDriftDetectionStatus')
    return response(
      operation,
      `<StackDriftDetectionId>check-1</StackDriftDetectionId><StackId>stack</StackId><Timestamp>${checkedAt}</Timestamp><DetectionStatus>DETECTION_COMPLETE</DetectionStatus>`,
    );
  if (operation === 'DescribeStackResourceDrifts') return response(operation, drifted(arn));
  // Only the drift check reads a single stack.
  return operation === 'DescribeStacks' && arn ? response(operation, stackInDrift(arn)) : undefined;
}
