import { type JSONValue, search } from '@jmespath-community/jmespath';
import { usageError } from '../cli-error.ts';

/** What a JMESPath expression selects in a document; null if that is nothing. */
export function select(text: string, query: string): unknown {
  const document = JSON.parse(text) as JSONValue;
  try {
    return search(document, query) ?? null;
  } catch (error) {
    throw usageError(
      `Invalid --query: ${error instanceof Error ? error.message : String(error)}`,
      "It is a JMESPath expression, such as --query 'stack_id' or --query '[].nickname'",
    );
  }
}
