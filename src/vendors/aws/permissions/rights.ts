import type { Feature } from './features.ts';
import type { Scope } from './scopes.ts';

/** A permission that a call needs. */
export interface Right {
  /** Without the permission, this feature fails. */
  feature: Feature;
  scope: Scope;
  purpose: string;
  /** The IAM action, if it is not the service and the operation. */
  action?: string;
}

export const right = (feature: Feature, scope: Scope, purpose: string): Right => ({
  feature,
  scope,
  purpose,
});

/** A permission whose action is not named like the operation, or that the operation needs in addition. */
export const named = (action: string, needed: Right): Right => ({ ...needed, action });

/** CloudFormation uses the role of the credential, if it has one. */
export const passRole = named(
  'iam:PassRole',
  right('stacks', 'cloudFormationRole', 'lets CloudFormation use the role'),
);

/** CloudFormation reads a template in the bucket with the permissions of the key. */
export const readTemplate = named(
  's3:GetObject',
  right('large-templates', 'templateBucket', 'lets CloudFormation read a template'),
);
