import type { Call } from './read-call.ts';

/** OUR OWN fake of CloudFormation's drift detection, after its documentation: no simulator has any. */

const answer = (operation: string, result: string): string =>
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

/** A check that has found one security group changed. Everything else is the simulator's to answer. */
export function driftResponse({ operation, input }: Call): string | undefined {
  const arn = input.StackName ?? '';
  if (operation === 'DetectStackDrift')
    return answer(operation, '<StackDriftDetectionId>check-1</StackDriftDetectionId>');
  if (operation === 'DescribeStackDriftDetectionStatus')
    return answer(
      operation,
      `<StackDriftDetectionId>check-1</StackDriftDetectionId><StackId>stack</StackId><Timestamp>${checkedAt}</Timestamp><DetectionStatus>DETECTION_COMPLETE</DetectionStatus>`,
    );
  if (operation === 'DescribeStackResourceDrifts') return answer(operation, drifted(arn));
  // Only a reading of drift asks for one stack.
  return operation === 'DescribeStacks' && arn ? answer(operation, stackInDrift(arn)) : undefined;
}
