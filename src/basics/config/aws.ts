/** Settings of the AWS vendor; part of the settings in `config.ts`. */
export const awsSettings = {
  ALM_AWS_POLL_SECONDS: ['5', 'poll interval of a changing AWS stack in its first minute; later less often'],
  ALM_AWS_EVENT_QUEUES: [
    '',
    'URLs of SQS queues with events of CloudFormation, separated by commas; changing stacks are then polled less often',
  ],
} as const satisfies Record<string, readonly [string, string]>;

type AwsSetting = keyof typeof awsSettings;

/** A queue of SQS. Its URL says where it is. */
export interface EventQueueAddress {
  url: string;
  region: string;
  /** The number of the AWS account. */
  account: string;
}

export interface AwsConfig {
  pollSeconds: number;
  eventQueues: readonly EventQueueAddress[];
}

const queueUrl =
  /^https:\/\/sqs\.([a-z]{2}(?:-[a-z]+)+-\d)\.amazonaws\.com(?:\.cn)?\/(\d{12})\/[A-Za-z0-9_-]{1,80}$/;

function parseQueue(url: string): EventQueueAddress {
  const [, region, account] = queueUrl.exec(url) ?? [];
  if (region && account) return { url, region, account };
  throw new Error(
    `ALM_AWS_EVENT_QUEUES must be queue URLs such as https://sqs.eu-west-1.amazonaws.com/123456789012/almanac-events, not "${url}".`,
  );
}

interface Readers {
  read: (name: AwsSetting) => string;
  number: (name: AwsSetting, min: number, max: number) => number;
  names: (text: string) => string[];
}

export const readAws = ({ read, number, names }: Readers): AwsConfig => ({
  pollSeconds: number('ALM_AWS_POLL_SECONDS', 0.1, 3600),
  eventQueues: names(read('ALM_AWS_EVENT_QUEUES')).map(parseQueue),
});
